import type { BodyOf, PathParam, Route, RowExample, Table } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import { contractChatId } from '#test/support/contract-world.js'
import { nowMs } from '#test/support/front.js'
import { signEnvelope } from '#test/support/identity/game-envelopes.js'
import { goodIdClaims, idToken } from '#test/support/identity/id-tokens.js'
import type { AnySample } from './bench.js'

/** A request that a row answers in full over the contract world. */
export interface Sample<R extends Route> {
  readonly path: { readonly [K in PathParam<R['path']>]: string }
  /** A good value of every parameter that the row knows. */
  readonly query: { readonly [K in keyof R['query']]: string }
  /** Parameters without which the row refuses. */
  readonly needs?: ReadonlyArray<keyof R['query'] & string>
  /** Parameters that cannot be sent together with all others. */
  readonly apart?: ReadonlyArray<keyof R['query'] & string>
  /** Parameters of which a request has exactly one. */
  readonly oneOf?: ReadonlyArray<keyof R['query'] & string>
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
  Pick<Sample<R>, 'needs' | 'apart' | 'oneOf'> &
  (R['body'] extends null ? { readonly body?: undefined } : { readonly body: BodyOf<R> })

type Exampled<T extends Table> = { readonly [K in keyof T]: { readonly example: ExampleOf<T[K]> } }

/** What a row's example does not tell; `body` stands in for one that a key of the tests signs. */
type Expectation<R extends Route> = Pick<Sample<R>, 'says' | 'hidden' | 'body'>

type Expectations<T extends Table> = { readonly [K in keyof T]: Expectation<T[K]> }

/** One a row: a row without one does not compile. */
const expected: Expectations<typeof routes> = {
  'health.get': { says: '"ReadWrite"' },
  'fleet.status.get': { says: '"bootId"' },
  'schema.get': { says: 'Lokacja' },
  'schema.version.get': { says: 'expected' },
  'routes.list': { says: '/entities/{name}' },
  'auth.chat.signIn': {
    says: '"token":"sess_',
    body: { id_token: idToken(goodIdClaims(nowMs, contractChatId)) },
  },
  'auth.chatChallenge.issue': { says: '"ttlSeconds":300' },
  'auth.chatConfig.get': { says: '"enabled":true' },
  'auth.whoami.get': { says: '"identity.read"' },
  'identity.get': { says: 'Brzoza' },
  'auth.game.signIn': {
    says: '"token":"sess_',
    body: signEnvelope({ userId: '41001', token: 'kontrakt', ts: nowMs / 1000 }),
  },
  'auth.gameChallenge.issue': { says: '"ttlSeconds":300' },
  'governance.permissions.list': { says: '"ranga":"narrator"' },
  'governance.permissions.update': { says: '"updated":"41001"' },
  'config.schedules.get': { says: '"workload":"settlement"' },
  'config.schedules.update': { says: '"set":"map_checkup"' },
  'capabilities.list': { says: 'capability.read' },
  'capabilities.grant': { says: '"changed":true' },
  'apiKeys.issue': { says: '"issued":"41001"' },
  'apiKeys.claim': { says: '"gameId":"41001"' },
  'capabilities.revoke': { says: '"changed":false' },
  'tokens.mint': { says: '"named_' },
  'tokens.list': { says: '0123456789abcdef' },
  'tokens.revoke': { says: '"revoked":true' },
  'auth.link': { says: '"linked"' },
  'workflows.registerByChat': { says: '"registered"' },
  'workflows.getWhoamiByChat': { says: '"gracz":"Żaneta"' },
  'workflows.findPeopleByChat': { says: '"linked":true' },
  'workflows.assignByChat': { says: '"assigned"' },
  'workflows.queryByChat': { says: 'Graczem „Brzoza”' },
  'workflows.closeSessionByChat': { says: '"Closed":"2026-05-20, Wieża/Latarnia, Brzoza"' },
  'workflows.reportSessionByChat': { says: '"reported":"2026-05-15, Brama, Brzoza"' },
  'admin.mode.set': { says: '"ReadOnly"' },
  'admin.shutdown': { says: '"stopped":' },
  'import.run': { says: '"Applied":' },
  'fleet.peers.list': { says: '"watchIntervalMin":5' },
  'fleet.monitor.get': { says: '"vantageSplit"' },
  'derived.list': { says: '"fresh"' },
  'derived.get': { says: '"lines"' },
  'fleet.hosts.get': { says: '"town":"Deyja"' },
  'jobs.get': { says: '"completed"', hidden: 'JobNotFound' },
  'jobs.result.get': { says: '"Applied":true', hidden: 'JobNotFound' },
  'resolve.get': { says: '"stage":"alternation"' },
  'resolve.batch.list': { says: '"stage":"miss"' },
  'nameIndex.lookup.get': { says: '"source":"alias"' },
  'nameIndex.rebuild': { says: '"indexStats"' },
  'entities.search.list': { says: '"MatchStage":"alias"' },
  'normalization.suggestions.list': { says: '"locations"' },
  'normalization.aliases.accept': { says: '"accepted":"Bogdan Solny"' },
  'audit.ledger.list': { says: '"state":"applied"' },
  'audit.changes.list': { says: 'Nieaktywny (2026-05-01:)' },
  'audit.notifications.list': { says: 'Statek wraca.' },
  'sync.get': { says: '"enabled"' },
  'chat.send': { says: '"Result":"SENT"' },
  'chat.deliveries.list': { says: '"messageId":"555"' },
  'fleet.takeover.run': { says: '"target":"Deyja"' },
  'chat.dispatch.add': { says: '"duplicate":false' },
  'fleet.announce.add': { says: '"recorded":true' },
  'sync.run': { says: '"up_to_date"' },
  'people.create': { says: 'kontrybutorzy.md' },
  'people.update': { says: '"@alias"' },
  'people.delete': { says: 'RosterStoreProperty' },
  'people.chatChannel.set': { says: '"@chat"' },
  'events.stream': { says: 'retry: ' },
  'events.journal.list': { says: '"snapshot:published"' },
  'logs.list': { says: '"audit"' },
  'people.list': { says: 'Brzoza' },
  'people.channels.list': { says: '"sesje"' },
  'people.get': { says: 'Brzoza' },
  'people.characters.list': { says: 'Wit Kłos' },
  'people.chatChannel.get': { says: 'brzoza' },
  'characters.get': { says: 'Brzoza' },
  'characters.info.list': { says: 'Ma bliznę.' },
  'contributors.integrity.list': { says: 'Czarodziej' },
  'characters.create': { says: 'Nowa Iskra' },
  'characters.update': { says: '"changed":true' },
  'characters.info.add': { says: 'Boi się burzy.' },
  'characters.info.replace': { says: 'Ma dwie blizny.' },
  'characters.info.remove': { says: '"items":["Zna port."]' },
  'characters.delete': { says: 'Usunięty' },
  'pu.timeline.list': { says: '1.25' },
  'pu.history.list': { says: '2026-06-02' },
  'pu.newCharacterCount.get': { says: 'Brzoza' },
  'workflows.closeSession': { says: '"Closed":"2026-05-20' },
  'workflows.finalizeClose': { says: '"Finalized":"2024-03-02' },
  'workflows.distributeSession': { says: '"Distributed":"2026-05-10' },
  'workflows.applyTransfers': { says: '"Reason":"Żołd"' },
  'workflows.closeReminder': { says: '"Skipped"' },
  'sessions.closeImpact.get': { says: 'Statek wraca.' },
  'workflows.awardPu': { says: '"Month":"2026-04"' },
  'elections.eligibility.list': { says: 'Brzoza' },
  'locations.list': { says: 'Port Zamorze' },
  'locations.graph.get': { says: 'Containment' },
  'locations.get': { says: 'Karczma Pod Dębem' },
  'claims.lint.get': { says: '"stats"' },
  'locations.create': { says: 'Młyn' },
  'locations.update': { says: '"changed":true' },
  'maps.create': { says: 'Mapa' },
  'maps.dimensions.set': { says: '"budgetExhausted":false' },
  'maps.update': { says: '"changed":true' },
  'maps.traversal.get': { says: 'Port Zamorze' },
  'entities.list': { says: 'Kupiec Bogdan' },
  'entities.integrity.list': { says: 'dziwny' },
  'entities.links.list': { says: 'Opisy/Bogdan.md' },
  'entities.get': { says: 'Handluje solą.' },
  'entities.player.get': { says: 'Brzoza' },
  'entities.sessions.list': { says: '2026-05-10, Most na Zamorzu, Brzoza' },
  'entities.path.get': { says: 'Lokacja/Zamorze/Port Zamorze' },
  'entities.file.get': { says: 'Opis kupca.' },
  'entities.locations.list': { says: 'Port Zamorze' },
  'entities.relations.get': { says: 'Cech Kupców' },
  'entities.history.list': { says: 'Cech Kupców' },
  'entities.timeline.list': { says: 'Cech Kupców' },
  'entities.create': { says: 'Zielarka Wita' },
  'entities.delete': { says: 'Usunięty' },
  'entities.rename': { says: 'należy_do' },
  'entities.update': { says: '"changed":true' },
  'players.resolve.get': { says: '"currentNick":"Brzoza"' },
  'sessions.list': { says: '2026-05-10, Most na Zamorzu, Brzoza' },
  'sessions.summary.list': { says: '2026-05-20, Wieża/Latarnia, Brzoza' },
  'sessions.integrity.list': { says: '2026' },
  'sessions.divergence.list': { says: 'Wit Kłos' },
  'sessions.graph.get': { says: 'Iskra' },
  'sessions.open.list': { says: '2026-05-10, Most na Zamorzu, Brzoza' },
  'sessions.staged.list': { says: 'Zasadzka' },
  'sessions.get': { says: 'Wit Kłos wszedł na wieżę.' },
  'sessions.narratorProfile.get': { says: '2026-05-10, Most na Zamorzu, Brzoza' },
  'sessions.batch.list': { says: 'Most na Zamorzu' },
  'sessions.compare': { says: 'Latarnia' },
  'sessions.graph.rebuild': { says: '"EdgeCount":1' },
  'sessions.hash': { says: '"hashed":3' },
  'sessions.rebaseline': { says: '2026-05-20, Wieża/Latarnia, Brzoza' },
  'locations.reindex': { says: '"speakerProposals":[]' },
  'search.index.get': { says: '"tier":"lore"' },
  'search.index.rebuild': { says: '"tiers":["lore"' },
  'maps.traversal.link': { says: 'Zamorze' },
  'sessions.create': { says: '"2026-05-15, Brama, Brzoza"' },
  'sessions.update': { says: 'sesje/kopia.md' },
  'sessions.report': { says: 'zgłoszenia/2026-05-15-' },
  'workflows.openSession': { says: '"2026-06-15, Brama, Brzoza"' },
  'sessionRegistry.regenerate': { says: '"Populated":2' },
  'governance.refs.list': { says: 'namiestnik' },
  'governance.pin.get': { says: 'Żaneta' },
  'governance.get': { says: 'Żaneta' },
  'governance.log.list': { says: 'Brzoza' },
  'governance.held.get': { says: 'true' },
  'search.get': { says: 'Kupiec Bogdan' },
  'entities.lines.list': { says: 'Kupiec Bogdan czeka za mostem.' },
  'entities.speech.list': { says: '"Nick":"Wit Kłos"' },
  'entities.scenes.list': { says: '"PlaceResolved":"Zamorze"' },
  'entities.hits.list': { says: '"text":"Wita Kłosa"' },
  'entities.mentions.get': { says: '"year":"2026"' },
  'entities.dossier.get': { says: '"Tier":"speech"' },
  'hygiene.orphans.get': { says: '"log":"stary"' },
  'logs.status.list': { says: '"Archived":2' },
  'logs.lines.list': { says: 'Kupiec Bogdan czeka za mostem.' },
  'logs.speakers.list': { says: 'Wędrowiec z Nikąd' },
  'logs.archive.get': { says: '"LineCount":9' },
  'logs.archiveMentions.list': { says: '"lemma":"Iskra"' },
  'logs.archiveRuns.list': { says: 'Zapraszam, Iskro.\\nStatek wraca.' },
  'sessions.logs.list': { says: '"State":"Archived"' },
  'logs.index.rebuild': { says: '"rebuilt":true' },
  'entities.lineage.get': { says: '"guard":{"sessions":2,"logs":2}' },
  'search.zeroResults.list': { says: 'Latarnik' },
  'logs.fetch': { says: '"Fetched":1' },
  'model.state.get': { says: '"proposer":"model"' },
  'model.evaluation.get': { says: '"code":"ModelSurfaceMismatch"' },
  'model.ledger.list': { says: '"artifact":"claims-1"' },
  'model.runs.list': { says: '"state":"running"' },
  'model.runs.start': { says: '"jobId":"run-2"' },
  'model.promote': { says: '"artifact":"claims-2"' },
  'model.rollback': { says: '"artifact":"gov-1"' },
  'sessions.logs.refresh': { says: '"Outcome":"Archived"' },
  'logs.import': { says: '"Status":"Imported"' },
  'logs.parse': { says: 'Dobry wieczór' },
  'logs.archive.reparse': { says: '"Rewritten":0' },
  'training.samples.list': { says: '"id":"lineage/entity-span/0123456789abcdef"' },
  'training.samples.confirm': { says: '"result":"ruled"' },
  'training.samplesConfirmations.add': { says: '"ruled":1' },
  'sessions.bindings.list': { says: '"surface":"Bogdan"' },
  'sessions.bindings.set': { says: '"referent":"Kupiec Bogdan"' },
  'training.finetuneSamples.list': { says: '"fullChars":' },
  'training.finetuneExport.get': { says: '"storeCommit":"aaa' },
  'training.finetuneSamples.confirm': { says: '"ruled":1' },
  'training.finetuneSamplesConfirmations.add': { says: '"unchanged":1' },
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
