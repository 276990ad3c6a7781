import type { RefusalTag } from '#protocol/refusal.js'
import type { routes } from '#protocol/routes.js'
import type { GateState } from '#src/domain/admin/gate-arms.js'
import { strangeCommit } from '#test/support/contract-world.js'
import type { Ask } from '#test/support/http-client.js'
import { benchTokens, type Pairs } from './bench.js'
import { samples } from './samples.js'

/** A request that a row refuses: its example, with these parts in place of those of the example. */
export interface Provocation {
  readonly row: keyof typeof routes
  readonly path?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly query?: Pairs
  readonly ask?: Ask
  /** How the gate stands meanwhile. */
  readonly gate?: Partial<GateState>
  /** Before the first snapshot. */
  readonly starting?: true
}

const withPart = (row: keyof typeof routes, part: Readonly<Record<string, unknown>>): Provocation => ({
  row,
  body: { ...Object(samples[row]?.body), ...part },
})

const provokeMissing = (row: keyof typeof routes, path: Readonly<Record<string, string>>): Provocation => ({
  row,
  path,
})

const provokeByGate = (gate: Partial<GateState>): Provocation => ({ row: 'entities.create', gate })

const provokeByHeaders = (headers: Readonly<Record<string, string>>): Provocation => ({
  row: 'people.list',
  ask: { headers },
})

/** One provocation for each refusal that the contract world can give. */
export const provocations: Readonly<Partial<Record<RefusalTag, Provocation>>> = {
  Unauthorized: { row: 'people.list', ask: { token: null } },
  Forbidden: { row: 'people.list', ask: { token: benchTokens.lacks('player.read') } },
  RouteNotFound: { row: 'people.list', ask: { method: 'PATCH' } },
  HostRefused: provokeByHeaders({ Host: 'other.example' }),
  RequestMalformed: provokeByHeaders({ Host: 'two words' }),
  ExpectationFailed: provokeByHeaders({ Expect: 'a miracle' }),
  CommitNotHere: provokeByHeaders({ 'X-Svc-Min-Commit': strangeCommit }),
  Starting: { row: 'people.list', starting: true },
  ParameterInvalid: { row: 'entities.list', query: [['type', 'Smok']] },
  BodyInvalid: { row: 'entities.create', body: { name: 1, type: 'Smok' } },
  BodyTooLarge: { row: 'entities.create', body: { name: 'x'.repeat(1024 * 1024) } },
  UnsupportedMediaType: { row: 'entities.create', ask: { headers: { 'Content-Type': 'text/plain' } } },
  BoundExceeded: withPart('entities.create', { name: 'x'.repeat(300) }),
  SyncStale: provokeByGate({ syncStale: true }),
  ReadOnly: provokeByGate({ mode: 'ReadOnly' }),
  SchemaTooOld: provokeByGate({ format: 'SchemaTooOld' }),
  SchemaTooNew: provokeByGate({ format: 'SchemaTooNew' }),
  SnapshotStale: provokeByGate({ staleReason: 'encje/indeks.md cannot be read' }),
  EntityNotFound: provokeMissing('entities.get', { name: 'Bogdann' }),
  PersonNotFound: provokeMissing('people.get', { name: 'Brzozza' }),
  CharacterNotFound: provokeMissing('characters.get', { name: 'Brzoza' }),
  SessionNotFound: provokeMissing('sessions.get', { header: '2020-01-01, Most, Brzoza' }),
  NarratorNotFound: provokeMissing('sessions.narratorProfile.get', { nick: 'Nikt' }),
  LocationNotFound: provokeMissing('locations.get', { name: 'Port Zamorz' }),
  MapNotFound: provokeMissing('maps.update', { name: 'Plan port' }),
  IdentityNotFound: provokeMissing('identity.get', { id: '1' }),
  JobNotFound: provokeMissing('jobs.get', { id: '1' }),
  RefNotFound: provokeMissing('governance.get', { ref: 'zarząd' }),
  StreamNotFound: provokeMissing('logs.list', { stream: 'other' }),
  FileNotFound: { row: 'entities.file.get', path: { name: 'Cech Kupców' } },
  TokenNotFound: provokeMissing('tokens.revoke', { id: 'f'.repeat(16) }),
  ClaimNotFound: provokeMissing('apiKeys.claim', { sha: 'f'.repeat(64) }),
  RosterStoreProperty: { row: 'people.update' },
  TagUnknown: withPart('entities.update', { tag: 'nieznany' }),
  ValueRefused: withPart('entities.create', { tags: { status: 'Smok' } }),
  NameTaken: withPart('entities.create', { name: 'Kupiec Bogdan' }),
  MatchStale: withPart('characters.info.replace', { match: 'Ma brodę.' }),
  NameUnresolved: withPart('sessions.create', {
    metadata: { pu: [{ character: 'Wit Kłoss', value: 1 }] },
  }),
  EnvelopeIncomplete: { row: 'auth.game.signIn', body: { user_id: '41001' } },
  SignatureMalformed: withPart('auth.game.signIn', { signatureBase64: '%' }),
  SignatureInvalid: withPart('auth.game.signIn', { signatureBase64: 'YWJj' }),
  SignedPartInvalid: withPart('auth.game.signIn', { token: 'a+b' }),
  TimestampInvalid: withPart('auth.game.signIn', { ts: 'today' }),
  TimestampOutOfWindow: withPart('auth.game.signIn', { ts: 1 }),
  wrong_guild: withPart('workflows.assignByChat', { guildId: '1' }),
  registration_needs_guild: { row: 'workflows.registerByChat', body: { chatId: '1002', gameId: '41002' } },
  invoker_has_no_roles: withPart('workflows.assignByChat', { roles: [] }),
  not_authorised: withPart('workflows.assignByChat', { roles: ['1'] }),
  no_gracz_for_game_id: withPart('workflows.assignByChat', { gameId: '1' }),
}
