import type { BodyOf, PathParam, Route, RowExample, Table } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import { contractChatId } from '#test/support/contract-world.js'
import { nowMs } from '#test/support/front.js'
import { signedEnvelope } from '#test/support/identity/game-envelopes.js'
import { goodClaims, idToken } from '#test/support/identity/id-tokens.js'
import type { AnySample } from './bench.js'

/** A request that a row answers in full over the contract world. */
export interface Sample<R extends Route> {
  readonly path: { readonly [K in PathParam<R['path']>]: string }
  /** A good value of every parameter that the row knows. */
  readonly query: { readonly [K in keyof R['query']]: string }
  /** Parameters without which the row refuses. */
  readonly needs?: ReadonlyArray<keyof R['query'] & string>
  readonly body?: BodyOf<R>
  /** How the row refuses callers who hold its capability alone: what the sample asks for is not theirs to see. */
  readonly hidden?: R['refusals'][number]
  /** A text that the answer holds: an empty answer is no sample. */
  readonly says: string
}

export type Samples<T extends Table> = { readonly [K in keyof T]: Sample<T[K]> }

/** A part of an example; it may be left out where it would be empty. */
type Part<Name extends 'path' | 'query', Values> = [keyof Values] extends [never]
  ? { readonly [N in Name]?: undefined }
  : { readonly [N in Name]: Values }

type ExampleOf<R extends Route> = Part<'path', Sample<R>['path']> &
  Part<'query', Sample<R>['query']> &
  Pick<Sample<R>, 'needs'> &
  (R['body'] extends null ? { readonly body?: undefined } : { readonly body: BodyOf<R> })

type Exampled<T extends Table> = { readonly [K in keyof T]: { readonly example: ExampleOf<T[K]> } }

/** What a row's example does not tell; `body` stands in for one that a key of the tests signs. */
type Expectation<R extends Route> = Pick<Sample<R>, 'says' | 'hidden' | 'body'>

type Expectations<T extends Table> = { readonly [K in keyof T]: Expectation<T[K]> }

/** One a row: a row without one does not compile. */
const expected: Expectations<typeof routes> = {
  'discovery.health': { says: '"ReadWrite"' },
  'discovery.schema': { says: 'Lokacja' },
  'discovery.schemaVersion': { says: 'expected' },
  'discovery.routes': { says: '/entities/{name}' },
  'identity.chatSignIn': {
    says: '"token":"sess_',
    body: { id_token: idToken(goodClaims(nowMs, contractChatId)) },
  },
  'identity.chatChallenge': { says: '"ttlSeconds":300' },
  'identity.chatConfig': { says: '"enabled":true' },
  'identity.whoami': { says: '"identity.read"' },
  'identity.one': { says: 'Brzoza' },
  'identity.gameSignIn': {
    says: '"token":"sess_',
    body: signedEnvelope({ userId: '41001', token: 'kontrakt', ts: nowMs / 1000 }),
  },
  'identity.gameChallenge': { says: '"ttlSeconds":300' },
  'identity.capabilities': { says: 'capability.read' },
  'capabilities.grant': { says: '"changed":true' },
  'apiKeys.issue': { says: '"issued":"41001"' },
  'apiKeys.claim': { says: '"gameId":"41001"' },
  'capabilities.revoke': { says: '"changed":false' },
  'tokens.mint': { says: '"named_' },
  'tokens.list': { says: '0123456789abcdef' },
  'tokens.revoke': { says: '"revoked":true' },
  'auth.link': { says: '"linked"' },
  'workflows.registerByChat': { says: '"registered"' },
  'workflows.whoamiByChat': { says: '"gracz":"Żaneta"' },
  'workflows.peopleByChat': { says: '"linked":true' },
  'workflows.assignByChat': { says: '"assigned"' },
  'admin.mode': { says: '"ReadOnly"' },
  'admin.shutdown': { says: '"stopped":' },
  'admin.import': { says: '"Applied":' },
  'jobs.one': { says: '"completed"', hidden: 'JobNotFound' },
  'jobs.result': { says: '"Applied":true', hidden: 'JobNotFound' },
  'audit.changes': { says: 'Nieaktywny (2026-05-01:)' },
  'audit.notifications': { says: 'Statek wraca.' },
  'sync.status': { says: '"enabled"' },
  'sync.run': { says: '"up_to_date"' },
  'people.create': { says: 'kontrybutorzy.md' },
  'people.update': { says: '"@alias"' },
  'people.delete': { says: 'RosterStoreProperty' },
  'people.setChatChannel': { says: '"@chat"' },
  'events.stream': { says: 'retry: ' },
  'events.journal': { says: '"snapshot:published"' },
  'logs.stream': { says: '"audit"' },
  'people.list': { says: 'Brzoza' },
  'people.channels': { says: '"sesje"' },
  'people.one': { says: 'Brzoza' },
  'people.characters': { says: 'Wit Kłos' },
  'people.chatChannel': { says: 'brzoza' },
  'characters.one': { says: 'Brzoza' },
  'characters.info': { says: 'Ma bliznę.' },
  'contributors.integrity': { says: 'Czarodziej' },
  'characters.create': { says: 'Nowa Iskra' },
  'characters.update': { says: '"changed":true' },
  'characters.addInfo': { says: 'Boi się burzy.' },
  'characters.changeInfo': { says: 'Ma dwie blizny.' },
  'characters.removeInfo': { says: '"items":["Zna port."]' },
  'characters.delete': { says: 'Usunięty' },
  'pu.timeline': { says: '1.25' },
  'pu.history': { says: '2026-06-02' },
  'pu.newCharacterCount': { says: 'Brzoza' },
  'elections.eligibility': { says: 'Brzoza' },
  'locations.list': { says: 'Port Zamorze' },
  'locations.graph': { says: 'Containment' },
  'locations.get': { says: 'Karczma Pod Dębem' },
  'claims.lint': { says: '"stats"' },
  'locations.create': { says: 'Młyn' },
  'locations.update': { says: '"changed":true' },
  'maps.create': { says: 'Mapa' },
  'maps.update': { says: '"changed":true' },
  'maps.traversal': { says: 'Port Zamorze' },
  entities: { says: 'Kupiec Bogdan' },
  entitiesIntegrity: { says: 'dziwny' },
  entitiesLinks: { says: 'Opisy/Bogdan.md' },
  entity: { says: 'Handluje solą.' },
  entityPlayer: { says: 'Brzoza' },
  entitySessions: { says: '2026-05-10, Most na Zamorzu, Brzoza' },
  entityPath: { says: 'Lokacja/Zamorze/Port Zamorze' },
  entityFile: { says: 'Opis kupca.' },
  entityLocations: { says: 'Port Zamorze' },
  entityRelations: { says: 'Cech Kupców' },
  entityHistory: { says: 'Cech Kupców' },
  entityTimeline: { says: 'Cech Kupców' },
  'entities.create': { says: 'Zielarka Wita' },
  'entities.delete': { says: 'Usunięty' },
  'entities.rename': { says: 'należy_do' },
  'entities.update': { says: '"changed":true' },
  'sessions.list': { says: '2026-05-10, Most na Zamorzu, Brzoza' },
  'sessions.summary': { says: '2026-05-20, Wieża/Latarnia, Brzoza' },
  'sessions.integrity': { says: '2026' },
  'sessions.divergence': { says: 'Wit Kłos' },
  'sessions.graph': { says: 'Iskra' },
  'sessions.open': { says: '2026-05-10, Most na Zamorzu, Brzoza' },
  'sessions.staged': { says: 'Zasadzka' },
  'sessions.get': { says: 'Wit Kłos wszedł na wieżę.' },
  'sessions.narrator': { says: '2026-05-10, Most na Zamorzu, Brzoza' },
  'sessions.batch': { says: 'Most na Zamorzu' },
  'sessions.compare': { says: 'Latarnia' },
  'sessions.graphRebuild': { says: '"EdgeCount":1' },
  'sessions.hash': { says: '"hashed":2' },
  'sessions.rebaseline': { says: '2026-05-20, Wieża/Latarnia, Brzoza' },
  'locations.reindex': { says: '"speakerProposals":[]' },
  'maps.link': { says: 'Zamorze' },
  'sessions.create': { says: '"2026-05-15, Brama, Brzoza"' },
  'sessions.update': { says: 'sesje/kopia.md' },
  'sessions.report': { says: 'zgłoszenia/2026-05-15-' },
  'workflows.openSession': { says: '"2026-06-15, Brama, Brzoza"' },
  'sessionRegistry.regenerate': { says: '"Populated":2' },
  'governance.refs': { says: 'namiestnik' },
  'governance.pin': { says: 'Żaneta' },
  'governance.ref': { says: 'Żaneta' },
  'governance.log': { says: 'Brzoza' },
  'governance.held': { says: 'true' },
}

/** The closed table, where a row without an example, or with one of another shape, does not compile. */
const exampled: Exampled<typeof routes> & Table = routes

const sampleOf = (example: RowExample | undefined, expectation: Expectation<Route>): AnySample => ({
  path: {},
  query: {},
  ...example,
  ...expectation,
})

/** The example of each row, with what its answer says. */
export const samples: Readonly<Record<string, AnySample>> = Object.fromEntries(
  Object.entries<Expectation<Route>>(expected).map(([id, expectation]) => [
    id,
    sampleOf(exampled[id]?.example, expectation),
  ]),
)
