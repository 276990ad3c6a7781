import type { RefusalTag } from '#protocol/refusal.js'
import type { routes } from '#protocol/routes.js'
import type { GateState } from '#src/domain/admin/gate-arms.js'
import { contractSamples, gate, strangeCommit, tower } from '#test/support/contract-world.js'
import { nodeView, nowMs } from '#test/support/front.js'
import { signEnvelope } from '#test/support/identity/game-envelopes.js'
import { goodIdClaims, idToken } from '#test/support/identity/id-tokens.js'
import { endedJob, jobsInMemory } from '#test/support/jobs.js'
import { benchTokens } from './bench.js'
import { faultRefusals } from './fault-refusals.js'
import { modelProvocations } from './model-provocations.js'
import { nodeProvocations } from './node-provocations.js'
import { type Provocation, provokeByBody } from './provocation.js'
import { worldProvocations } from './world-provocations.js'

const provokeMissing = (row: keyof typeof routes, path: Readonly<Record<string, string>>): Provocation => ({
  row,
  path,
})

const provokeBySearch = (name: string, value: string): Provocation => ({
  row: 'search.get',
  query: [
    ['q', 'most'],
    [name, value],
  ],
})

const provokeByGate = (gate: Partial<GateState>): Provocation => ({ row: 'entities.create', gate })

const provokeByHeaders = (headers: Readonly<Record<string, string>>): Provocation => ({
  row: 'people.list',
  ask: { headers },
})

/** The refusals that the contract world gives as it is. */
const contractProvocations = {
  Unauthorized: { row: 'people.list', ask: { token: null } },
  Forbidden: { row: 'people.list', ask: { token: benchTokens.lacks('player.read') } },
  RouteNotFound: { row: 'people.list', ask: { method: 'PATCH' } },
  HostRefused: provokeByHeaders({ Host: 'other.example' }),
  RequestMalformed: provokeByHeaders({ Host: 'two words' }),
  ExpectationFailed: provokeByHeaders({ Expect: 'a miracle' }),
  CommitNotHere: provokeByHeaders({ 'X-Svc-Min-Commit': strangeCommit }),
  Starting: { row: 'people.list', world: () => null },
  ParameterInvalid: { row: 'entities.list', query: [['type', 'Smok']] },
  BodyInvalid: { row: 'entities.create', body: { name: 1, type: 'Smok' } },
  BodyTooLarge: { row: 'entities.create', body: { name: 'x'.repeat(1024 * 1024) } },
  UnsupportedMediaType: { row: 'entities.create', ask: { headers: { 'Content-Type': 'text/plain' } } },
  BoundExceeded: provokeByBody('entities.create', { name: 'x'.repeat(300) }),
  SyncStale: provokeByGate({ syncStale: true }),
  DiskRefused: provokeByGate({ stateGone: true }),
  ReadOnly: provokeByGate({ mode: 'ReadOnly' }),
  SchemaTooOld: provokeByGate({ format: 'SchemaTooOld' }),
  SchemaTooNew: provokeByGate({ format: 'SchemaTooNew' }),
  SnapshotStale: provokeByGate({ staleReason: 'encje/indeks.md cannot be read' }),
  EntityNotFound: provokeMissing('entities.get', { name: 'Bogdann' }),
  PersonNotFound: provokeMissing('people.get', { name: 'Brzozza' }),
  CharacterNotFound: provokeMissing('characters.get', { name: 'Brzoza' }),
  SessionNotFound: provokeMissing('sessions.get', { header: '2020-01-01, Most, Brzoza' }),
  LogNotFound: provokeMissing('logs.archive.get', { log: 'brak' }),
  NarratorNotFound: provokeMissing('sessions.narratorProfile.get', { nick: 'Nikt' }),
  LocationNotFound: provokeMissing('locations.get', { name: 'Port Zamorz' }),
  MapDimensionsSelectionConflict: provokeByBody('maps.dimensions.set', { names: ['Plan portu'], cursor: 1 }),
  CapabilityRequired: {
    row: 'logs.fetch',
    body: { request: 'GET /1 HTTP/1.1\nHost: logi.example' },
    ask: { token: benchTokens.plain('log.fetch') },
  },
  LogSourceRefused: { row: 'logs.import', body: { url: 'file:///etc/passwd', content: 'a' } },
  LogContentRefused: provokeByBody('logs.import', { content: '<!doctype html><p>hej</p>' }),
  TuningSampleNotFound: provokeByBody('training.finetuneSamples.confirm', { id: 'demo/api-agent/brak' }),
  TuningSampleRuled: provokeByBody('training.finetuneSamples.confirm', {
    id: 'demo/session-summary/most',
    outcome: 'deny',
  }),
  LogNotFetched: { row: 'logs.parse', body: { url: 'https://logi.example/none' } },
  JobRunning: {
    row: 'logs.fetch',
    body: {},
    front: () => ({ node: { jobs: jobsInMemory([{ ...endedJob, kind: 'logs.fetch', state: 'running' }]) } }),
  },
  MapDimensionsTooManyNames: provokeByBody('maps.dimensions.set', {
    names: Array.from({ length: 51 }, (_, at) => `Plan ${at}`),
  }),
  MapNotFound: provokeMissing('maps.update', { name: 'Plan port' }),
  IdentityNotFound: provokeMissing('identity.get', { id: '1' }),
  TownNotObserved: provokeMissing('fleet.hosts.get', { town: 'Nikąd' }),
  UnknownDerivedKind: provokeMissing('derived.get', { kind: 'nic' }),
  JobNotFound: provokeMissing('jobs.get', { id: '1' }),
  OwnerNotAllowed: {
    ...provokeByBody('config.schedules.update', { owner: 'fleet' }),
    path: { workload: 'settlement' },
  },
  WorkloadNotFound: {
    ...provokeByBody('config.schedules.update', { owner: 'ci' }),
    path: { workload: 'porządki' },
  },
  RefNotFound: provokeMissing('governance.get', { ref: 'zarząd' }),
  SearchQueryMissing: { row: 'search.get', query: [] },
  SearchKindInvalid: provokeBySearch('kind', 'proza'),
  SearchDiegesisInvalid: provokeBySearch('diegesis', 'poza'),
  DateInvalid: provokeBySearch('from', '2024-02-30'),
  SearchBoundConflict: {
    row: 'search.get',
    query: [
      ['q', 'most'],
      ['asOf', '2026-01-01'],
      ['to', '2026-01-01'],
    ],
  },
  SearchScopeForbidden: {
    ...provokeBySearch('scope', 'session'),
    ask: { token: benchTokens.plain('entity.read') },
  },
  SearchIndexDisabled: {
    ...provokeBySearch('scope', 'speech'),
    front: () => ({ node: { search: nodeView().search } }),
  },
  StreamNotFound: provokeMissing('logs.list', { stream: 'other' }),
  FileNotFound: { row: 'entities.file.get', path: { name: 'Cech Kupców' } },
  TokenNotFound: provokeMissing('tokens.revoke', { id: 'f'.repeat(16) }),
  ClaimNotFound: provokeMissing('apiKeys.claim', { sha: 'f'.repeat(64) }),
  SpellingNotFound: provokeMissing('nameIndex.lookup.get', { token: 'Bogdana' }),
  RosterStoreProperty: { row: 'people.update' },
  TagUnknown: provokeByBody('entities.update', { tag: 'nieznany' }),
  ValueRefused: provokeByBody('entities.create', { tags: { status: 'Smok' } }),
  TrainingSampleFilterInvalid: { row: 'training.samples.list', query: [['class', 'nastroje']] },
  SampleNotFound: provokeByBody('training.samples.confirm', { id: 'nikt' }),
  SampleRuled: provokeByBody('training.samples.confirm', { id: contractSamples.ruled, outcome: 'deny' }),
  SampleUnruled: provokeByBody('training.samples.confirm', { opinion: true }),
  SampleStale: provokeByBody('training.samples.confirm', { id: contractSamples.stale }),
  NameTaken: provokeByBody('entities.create', { name: 'Kupiec Bogdan' }),
  MatchStale: provokeByBody('characters.info.replace', { match: 'Ma brodę.' }),
  SessionClosed: {
    ...provokeByBody('sessions.update', { metadata: { pu: [{ character: 'Wit Kłos', value: 9 }] } }),
    path: { header: tower },
  },
  CloseNotMerged: { row: 'workflows.finalizeClose', body: { header: tower } },
  PendingAltered: {
    row: 'workflows.finalizeClose',
    body: {
      pending: {
        Header: gate,
        Actor: 'Wit Kłos',
        TransferLedgerEntry: { At: '2024-03-03T08:00:00.000Z', Transfers: [] },
      },
    },
  },
  TransfersBlocked: {
    row: 'workflows.applyTransfers',
    body: {
      transfers: [{ amount: 1.5, denomination: 'ziarna', source: 'Cech Kupców', destination: 'Bogdann' }],
      ...{ day: '2026-06-10', reason: 'Żołd' },
    },
  },
  MonthRequired: { row: 'workflows.awardPu', body: {} },
  // Two copies of the bridge give Wit other points.
  AwardBlocked: { row: 'workflows.awardPu', body: { month: '2026-05' } },
  NameUnresolved: provokeByBody('sessions.create', {
    metadata: { pu: [{ character: 'Wit Kłoss', value: 1 }] },
  }),
  EnvelopeIncomplete: { row: 'auth.game.signIn', body: { user_id: '41001' } },
  SignatureMissing: provokeByBody('auth.game.signIn', { signatureBase64: '' }),
  SignatureMalformed: provokeByBody('auth.game.signIn', { signatureBase64: '%' }),
  SignatureInvalid: provokeByBody('auth.game.signIn', { signatureBase64: 'YWJj' }),
  SignedPartInvalid: provokeByBody('auth.game.signIn', { token: 'a+b' }),
  TimestampInvalid: provokeByBody('auth.game.signIn', { ts: 'today' }),
  TimestampOutOfWindow: provokeByBody('auth.game.signIn', { ts: 1 }),
  no_gracz_at_sign_in: {
    row: 'auth.game.signIn',
    body: signEnvelope({ userId: '41003', token: 'kontrakt', ts: nowMs / 1000 }),
  },
  not_linked: {
    row: 'auth.chat.signIn',
    body: { id_token: idToken(goodIdClaims(nowMs, '700100200300400501')) },
  },
  registration_reserved: provokeByBody('workflows.registerByChat', { gameId: '41001' }),
  wrong_guild: provokeByBody('workflows.assignByChat', { guildId: '1' }),
  registration_needs_guild: { row: 'workflows.registerByChat', body: { chatId: '1002', gameId: '41002' } },
  ChatAddressMissing: { row: 'chat.send', body: { entity: 'Żaneta', message: 'Dzień dobry.' } },
  invoker_has_no_roles: provokeByBody('workflows.assignByChat', { roles: [] }),
  not_authorised: provokeByBody('workflows.assignByChat', { roles: ['1'] }),
  SessionNotChosen: {
    row: 'workflows.closeSessionByChat',
    body: { chatId: '700100200300400511' },
  },
  ReportRefused: provokeByBody('workflows.reportSessionByChat', { reportB64: 'QnJhbWEu' }),
  no_gracz_for_game_id: provokeByBody('workflows.assignByChat', { gameId: '1' }),
} as const satisfies Readonly<Partial<Record<RefusalTag, Provocation>>>

/** How each refusal of the reference comes about: by a request, or by the function that makes its body. */
export const provocations: Readonly<Record<RefusalTag, Provocation | (() => string)>> = {
  ...contractProvocations,
  ...worldProvocations,
  ...nodeProvocations,
  ...modelProvocations,
  ...faultRefusals,
}
