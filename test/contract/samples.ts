import type { BodyOf, PathParam, Route, Table } from '#protocol/route.js'
import type { routes } from '#protocol/routes.js'
import { bridge, tower } from '#test/support/contract-world.js'
import { pastHead } from '#test/support/history.js'
import { endedJob } from '#test/support/jobs.js'
import { chatSamples } from './chat-samples.js'
import { identitySamples } from './identity-samples.js'

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

const page = { limit: '5', offset: '0' } as const
const none = { path: {}, query: {} } as const
const bogdan = { path: { name: 'Kupiec Bogdan' }, query: { type: 'NPC', activeOn: '2026-06-01' } } as const
const bogdanOfType = { path: { name: 'Bogdan' }, query: { type: 'NPC' } } as const
const brzoza = { path: { name: 'Brzoza' }, query: {} } as const
const listing = {
  path: {},
  query: {
    narrator: 'Brzoza',
    from: '2026-01-01',
    to: '2026-12-31',
    entity: 'Wit Kłos',
    fields: 'Title',
    ...page,
  },
} as const

/** One sample a row: a row without one does not compile. */
export const samples: Samples<typeof routes> = {
  'discovery.health': { ...none, says: '"ReadWrite"' },
  'discovery.schema': { ...none, says: 'Lokacja' },
  'discovery.schemaVersion': { ...none, says: 'expected' },
  'discovery.routes': { ...none, says: '/entities/{name}' },

  ...identitySamples,
  ...chatSamples,

  'admin.mode': { ...none, body: { mode: 'read-only' }, says: '"ReadOnly"' },
  'admin.shutdown': { ...none, says: '"stopped":' },
  'admin.import': { path: {}, query: { async: 'false' }, body: {}, says: '"Applied":' },

  'jobs.one': { path: { id: endedJob.id }, query: {}, hidden: 'JobNotFound', says: '"completed"' },
  'jobs.result': { path: { id: endedJob.id }, query: {}, hidden: 'JobNotFound', says: '"Applied":true' },

  'audit.changes': {
    path: {},
    query: {
      name: 'Kupiec Bogdan',
      field: '@status',
      file: 'encje/indeks.md',
      from: '2026-01-01',
      to: '2026-12-31',
      limit: '5',
      cursor: `${pastHead}.0.0.0`,
    },
    says: 'Nieaktywny (2026-05-01:)',
  },
  'audit.notifications': {
    path: {},
    query: { target: 'Wit Kłos', directive: 'Grupa', from: '2026-01-01', to: '2026-12-31', ...page },
    says: 'Statek wraca.',
  },
  'sync.status': { ...none, says: '"enabled"' },
  'sync.run': { ...none, body: {}, says: '"up_to_date"' },

  'people.create': { ...none, body: { name: 'Brzoza' }, says: 'kontrybutorzy.md' },
  'people.update': { ...brzoza, body: { tag: '@alias' }, says: '"@alias"' },
  'people.delete': { ...brzoza, says: 'RosterStoreProperty' },
  'people.setChatChannel': { ...brzoza, body: {}, says: '"@chat"' },
  'events.stream': { path: {}, query: { since: '0' }, says: 'retry: ' },
  'events.journal': { path: {}, query: { since: '0', limit: '5' }, says: '"snapshot:published"' },
  'logs.stream': { path: { stream: 'audit' }, query: { before: '9', limit: '5' }, says: '"audit"' },

  'people.list': { path: {}, query: page, says: 'Brzoza' },
  'people.channels': { ...none, says: '"sesje"' },
  'people.one': { path: { name: 'Brzózka' }, query: {}, says: 'Brzoza' },
  'people.characters': { path: { name: 'Brzoza' }, query: { status: 'Aktywny', ...page }, says: 'Wit Kłos' },
  'people.chatChannel': { path: { name: 'Brzoza' }, query: {}, says: 'brzoza' },
  'characters.one': { path: { name: 'Wit Kłos' }, query: { activeOn: '2026-06-01' }, says: 'Brzoza' },
  'characters.info': { path: { name: 'Wit Kłos' }, query: {}, says: 'Ma bliznę.' },
  'contributors.integrity': { path: {}, query: page, says: 'Czarodziej' },

  'characters.create': {
    ...none,
    body: { name: 'Nowa Iskra', tags: { należy_do: 'Brzoza' } },
    says: 'Nowa Iskra',
  },
  'characters.update': {
    path: { name: 'Wit Kłos' },
    query: {},
    body: { tag: 'stan', value: 'Ranny.' },
    says: '"changed":true',
  },
  'characters.addInfo': {
    path: { name: 'Wit Kłos' },
    query: {},
    body: { text: 'Boi się burzy.' },
    says: 'Boi się burzy.',
  },
  'characters.changeInfo': {
    path: { name: 'Wit Kłos' },
    query: {},
    body: { match: 'Ma bliznę.', text: 'Ma dwie blizny.' },
    says: 'Ma dwie blizny.',
  },
  'characters.removeInfo': {
    path: { name: 'Wit Kłos' },
    query: {},
    body: { match: 'Ma bliznę.' },
    says: '"items":["Zna port."]',
  },
  'characters.delete': { path: { name: 'Wit Kłos' }, query: {}, says: 'Usunięty' },

  'pu.timeline': { path: {}, query: { character: 'Wit Kłos', ...page }, says: '1.25' },
  'pu.history': { ...none, says: '2026-06-02' },
  'pu.newCharacterCount': {
    path: {},
    query: { player: 'Brzoza' },
    needs: ['player'],
    says: 'Brzoza',
  },
  'elections.eligibility': { path: {}, query: page, says: 'Brzoza' },

  'locations.list': {
    path: {},
    query: { parent: 'Zamorze', outerior: 'nie', region: 'Pogranicze', ...page },
    says: 'Port Zamorze',
  },
  'locations.graph': { ...none, says: 'Containment' },
  'locations.get': { path: { name: 'Port Zamorze' }, query: {}, says: 'Karczma Pod Dębem' },
  'claims.lint': { path: {}, query: { fresh: 'true' }, says: '"stats"' },
  'locations.create': { ...none, body: { name: 'Młyn', tags: { lokacja: 'Zamorze' } }, says: 'Młyn' },
  'locations.update': {
    path: { name: 'Port Zamorze' },
    query: {},
    body: { tag: 'region', value: 'Pogranicze' },
    says: '"changed":true',
  },
  'maps.create': { ...none, body: { name: 'Zamorze', gameid: '615', wymiary: '96x64' }, says: 'Mapa' },
  'maps.update': {
    path: { name: 'Plan portu' },
    query: {},
    body: { tag: '@gameid', value: '616' },
    says: '"changed":true',
  },
  'maps.traversal': { ...none, says: 'Port Zamorze' },

  entities: {
    path: {},
    query: {
      type: 'NPC',
      status: 'Aktywny',
      group: 'Cech Kupców',
      location: 'Karczma Pod Dębem',
      name: 'Bogdan',
      activeOn: '2026-06-01',
      ...page,
    },
    says: 'Kupiec Bogdan',
  },
  entitiesIntegrity: { path: {}, query: page, says: 'dziwny' },
  entitiesLinks: { path: {}, query: { withFile: 'true', activeOn: '2026-06-01' }, says: 'Opisy/Bogdan.md' },
  entity: { ...bogdan, says: 'Handluje solą.' },
  entityPlayer: { ...bogdan, says: 'Brzoza' },
  entitySessions: { ...bogdanOfType, says: bridge },
  entityPath: {
    path: { name: 'Port Zamorze' },
    query: { type: 'Lokacja', activeOn: '2026-06-01' },
    says: 'Lokacja/Zamorze/Port Zamorze',
  },
  entityFile: { ...bogdan, says: 'Opis kupca.' },
  entityLocations: { ...bogdan, says: 'Port Zamorze' },
  entityRelations: { ...bogdan, says: 'Cech Kupców' },
  entityHistory: {
    path: { name: 'Kupiec Bogdan' },
    query: { type: 'NPC', from: '2024-01-01', to: '2026-12-31', ...page },
    says: 'Cech Kupców',
  },
  entityTimeline: { ...bogdanOfType, says: 'Cech Kupców' },

  'entities.create': {
    ...none,
    body: { name: 'Zielarka Wita', type: 'NPC', tags: { lokacja: 'Zamorze', grupa: ['Cech Kupców'] } },
    says: 'Zielarka Wita',
  },
  'entities.delete': { ...bogdanOfType, path: { name: 'Kupiec Bogdan' }, says: 'Usunięty' },
  'entities.rename': {
    path: { name: 'Wit Kłos' },
    query: { type: 'Postać' },
    body: { name: 'Wit Kłosek' },
    says: 'należy_do',
  },
  'entities.update': {
    path: { name: 'Kupiec Bogdan' },
    query: { type: 'NPC' },
    body: { tag: 'lokacja', value: 'Zamorze', from: '2026-06' },
    says: '"changed":true',
  },

  'sessions.list': { ...listing, says: bridge },
  'sessions.summary': { ...listing, says: tower },
  'sessions.integrity': { path: {}, query: page, says: '2026' },
  'sessions.divergence': { path: {}, query: page, says: 'Wit Kłos' },
  'sessions.graph': { ...none, says: 'Iskra' },
  'sessions.open': { path: {}, query: { narrator: 'Brzoza' }, says: bridge },
  'sessions.staged': { path: {}, query: page, says: 'Zasadzka' },
  'sessions.get': { path: { header: tower }, query: {}, says: 'Wit Kłos wszedł na wieżę.' },
  'sessions.narrator': { path: { nick: 'Brzoza' }, query: {}, says: bridge },
  'sessions.batch': { ...none, body: { headers: [bridge, tower] }, says: 'Most na Zamorzu' },
  'sessions.compare': { ...none, body: { headers: [bridge, tower] }, says: 'Latarnia' },

  'sessions.graphRebuild': { ...none, body: {}, says: '"EdgeCount":1' },
  'sessions.hash': { ...none, body: {}, says: '"hashed":2' },
  'sessions.rebaseline': { path: { header: tower }, query: {}, body: {}, says: tower },
  'locations.reindex': { path: {}, query: { async: 'false' }, body: {}, says: '"speakerProposals":[]' },
  'maps.link': { ...none, body: { source: 'Zamorze', target: 'Port Zamorze' }, says: 'Zamorze' },
  'sessions.create': {
    ...none,
    body: {
      file: 'sesje/2026.md',
      date: '2026-05-15',
      title: 'Brama',
      narrators: ['Brzoza'],
      content: 'Wit Kłos otworzył bramę.',
      metadata: { pu: [{ character: 'Wit Kłos', value: 0.5 }] },
    },
    says: '"2026-05-15, Brama, Brzoza"',
  },
  'sessions.update': {
    path: { header: bridge },
    query: {},
    body: { metadata: { pu: [{ character: 'Iskra', value: 1 }] } },
    says: 'sesje/kopia.md',
  },
  'sessions.report': {
    ...none,
    body: { date: '2026-05-15', title: 'Brama', narrators: ['Brzoza'], content: 'Byłem przy bramie.' },
    says: 'zgłoszenia/2026-05-15-',
  },
  'workflows.openSession': {
    ...none,
    body: { file: 'sesje/2026.md', title: 'Brama', narrators: ['Brzoza'] },
    says: '"2026-06-15, Brama, Brzoza"',
  },
  'sessionRegistry.regenerate': { path: {}, query: { async: 'false' }, body: {}, says: '"Populated":2' },

  'governance.refs': { ...none, says: 'namiestnik' },
  'governance.pin': { path: {}, query: { at: '2024-02-01' }, says: 'Żaneta' },
  'governance.ref': { path: { ref: 'namiestnik' }, query: { at: '2024-02-01' }, says: 'Żaneta' },
  'governance.log': {
    path: { ref: 'namiestnik' },
    query: { since: '2024-01-01', until: '2024-12-31' },
    says: 'Brzoza',
  },
  'governance.held': {
    path: { ref: 'namiestnik' },
    query: { subject: 'Żaneta', at: '2024-06-01' },
    needs: ['subject'],
    says: 'true',
  },
}
