import type { routes } from '#protocol/routes.js'
import { bridge, contractSamples, gate, tower } from '#test/support/contract-world.js'

type Routes = typeof routes

/** Rows that pass the gate with a body: what they are sent may become lore. */
export type LoreRow = {
  [K in keyof Routes]: Routes[K] extends { readonly commits: false }
    ? never
    : Routes[K] extends { readonly write: true; readonly body: object }
      ? K
      : never
}[keyof Routes]

export interface LoreBody {
  readonly path: string
  /** A body that is taken, with every text that the row knows; none where the row takes no text. */
  readonly body: object | null
  /** Leaves that are looked up and not written, with how they are refused. */
  readonly lookups?: Readonly<Record<string, readonly [status: number, error: string]>>
}

const metadata = {
  locations: ['Zamorze', 'Na zewnątrz'],
  logs: ['https://logi.example/9'],
  pu: [{ character: 'Wit Kłos', value: 0.5 }],
  participants: ['Iskra'],
  changes: [{ entity: 'Wit Kłos', tags: [{ tag: '@stan', value: 'Ranny' }] }],
  preserved: [{ name: 'Objaśnienia', items: ['Brama to most.'] }],
}
const enacting = {
  ...metadata,
  transfers: [{ amount: 5, denomination: 'koron', source: 'Wit Kłos', destination: 'Iskra' }],
  intel: [{ target: 'Iskra', message: 'Brama stoi otworem.' }],
}
const session = {
  date: '2026-05-15',
  dateEnd: '2026-05-16',
  title: 'Brama',
  narrators: ['Brzoza'],
  content: 'Wit Kłos otworzył bramę.',
}
const patch = { tag: 'lokacja', value: 'Zamorze', from: '2026-06', to: '2026-07' }
const wit = `/characters/${encodeURIComponent('Wit Kłos')}`
const noSuchId = [400, 'BodyInvalid'] as const
const noSuchPlace = [404, 'LocationNotFound'] as const
const nobody = [404, 'IdentityNotFound'] as const

/** A body for every row that writes lore; a row without one does not compile. */
export const loreBodies: Readonly<Record<LoreRow, LoreBody>> = {
  'workflows.registerByChat': {
    path: '/workflows/register-by-chat',
    body: { chatId: '1002', guildId: '900', gameId: '41002' },
    lookups: { chatId: noSuchId, gameId: noSuchId, guildId: [403, 'wrong_guild'] },
  },
  'capabilities.grant': {
    path: '/capabilities/grant',
    body: { gameId: '41002', capability: 'sync.run' },
    lookups: { gameId: nobody },
  },
  'capabilities.revoke': {
    path: '/capabilities/revoke',
    body: { gameId: '41002', capability: 'sync.run' },
    lookups: { gameId: nobody },
  },
  'workflows.assignByChat': {
    path: '/workflows/assign-by-chat',
    body: { chatId: '1009', targetChatId: '1002', gameId: '41001', guildId: '900', roles: ['77'] },
    lookups: {
      chatId: noSuchId,
      targetChatId: noSuchId,
      gameId: noSuchId,
      guildId: [403, 'wrong_guild'],
      'roles[0]': noSuchId,
    },
  },
  'workflows.closeSessionByChat': {
    path: '/workflows/close-session-by-chat',
    body: { chatId: '700100200300400511', header: tower, note: 'Koniec.', interactionId: '6' },
    lookups: { chatId: noSuchId, header: [404, 'SessionNotFound'], interactionId: noSuchId },
  },
  'workflows.reportSessionByChat': {
    path: '/workflows/report-session-by-chat',
    body: {
      chatId: '700100200300400500',
      reportB64: 'IyMjIDIwMjYtMDUtMTUsIEJyYW1hLCBCcnpvemEK',
      interactionId: '5',
    },
    lookups: { chatId: noSuchId, reportB64: noSuchId, interactionId: noSuchId },
  },
  'auth.link': {
    path: '/auth/link',
    body: { gameId: '41002', chatId: '1002' },
    lookups: { gameId: noSuchId, chatId: noSuchId },
  },
  'governance.permissions.update': {
    path: '/governance/permissions/Brzoza',
    body: { ranga: 'narrator', walki_pvp: true },
  },
  'config.schedules.update': {
    path: '/config/schedules/map_checkup',
    body: { owner: 'ci' },
    lookups: { owner: [422, 'OwnerNotAllowed'] },
  },
  'apiKeys.issue': { path: '/api-keys', body: { gameId: '41001' }, lookups: { gameId: nobody } },
  'people.create': { path: '/people', body: null },
  'people.update': { path: '/people/Brzoza', body: null },
  'people.chatChannel.set': { path: '/people/Brzoza/chat-channel', body: null },
  'characters.create': {
    path: '/characters',
    body: { name: 'Nowa', tags: { należy_do: 'Brzoza', info: ['Szuka siostry.'] } },
  },
  'characters.update': { path: wit, body: { ...patch, tag: 'stan', value: 'Ranny.' } },
  'characters.info.add': { path: `${wit}/info`, body: { text: 'Boi się burzy.' } },
  'characters.info.replace': {
    path: `${wit}/info`,
    body: { match: 'Ma bliznę.', text: 'Ma dwie blizny.' },
    lookups: { match: [409, 'MatchStale'] },
  },
  'characters.info.remove': {
    path: `${wit}/info`,
    body: { match: 'Ma bliznę.' },
    lookups: { match: [409, 'MatchStale'] },
  },
  'normalization.aliases.accept': {
    path: '/normalization/aliases/accept',
    body: { surface: 'Bogdan Solny', name: 'Kupiec Bogdan', type: 'NPC' },
    lookups: { name: [404, 'EntityNotFound'], type: [400, 'BodyInvalid'] },
  },
  'locations.create': { path: '/locations', body: { name: 'Młyn', tags: { lokacja: 'Zamorze' } } },
  'locations.update': { path: '/locations/Port%20Zamorze', body: { ...patch, tag: 'region' } },
  'maps.create': {
    path: '/maps',
    body: {
      ...{ name: 'Plan', gameid: '615', url: 'https://mapy.example/a.png', wymiary: '96x64' },
      ...{ koordynaty: '1,2', slug: 'plan', lokacja: 'Zamorze', tags: { info: 'Stary plan.' } },
    },
  },
  'maps.update': { path: '/maps/Plan%20portu', body: { tag: 'gameid', value: '616' } },
  'maps.traversal.link': {
    path: '/maps/traversal',
    body: { source: 'Zamorze', target: 'Port Zamorze' },
    lookups: { source: noSuchPlace, target: noSuchPlace },
  },
  'entities.create': {
    path: '/entities',
    body: { name: 'Wita', type: 'NPC', tags: { lokacja: 'Zamorze', alias: ['Zielarka'] } },
    lookups: { type: [400, 'BodyInvalid'] },
  },
  'entities.update': { path: '/entities/Kupiec%20Bogdan', body: patch },
  'entities.rename': { path: '/entities/Kupiec%20Bogdan/name', body: { name: 'Kupiec Bogdan Stary' } },
  'training.finetuneSamples.confirm': {
    path: '/training/finetune/samples/confirm',
    body: { id: 'demo/api-agent/wit', outcome: 'correct', content: 'Nie wiem.', note: 'Źle.' },
    lookups: { id: [404, 'TuningSampleNotFound'], outcome: [400, 'BodyInvalid'] },
  },
  'training.finetuneSamplesConfirmations.add': {
    path: '/training/finetune/samples/confirmations',
    body: { items: [{ id: 'demo/api-agent/wit', outcome: 'deny' }] },
    lookups: { 'items[0].outcome': [400, 'BodyInvalid'] },
  },
  'workflows.closeSession': {
    path: '/workflows/close-session',
    body: { header: tower, note: 'Koniec.' },
    lookups: { header: [404, 'SessionNotFound'] },
  },
  'workflows.finalizeClose': {
    path: '/workflows/finalize-close',
    body: { header: gate },
    lookups: { header: [404, 'SessionNotFound'] },
  },
  'workflows.distributeSession': {
    path: '/workflows/distribute-session',
    body: { header: bridge },
    lookups: { header: [404, 'SessionNotFound'] },
  },
  'workflows.applyTransfers': {
    path: '/workflows/apply-transfers',
    body: {
      transfers: [{ amount: 2, denomination: 'talary', source: 'Cech Kupców', destination: 'Wit Kłos' }],
      ...{ day: '2026-06-10', reason: 'Żołd.', id: 'zold-1' },
    },
    lookups: { day: [400, 'BodyInvalid'] },
  },
  'workflows.closeReminder': {
    path: '/workflows/close-reminder',
    body: { narrator: 'Brzoza' },
    lookups: { narrator: [404, 'PersonNotFound'] },
  },
  'sessions.hash': { path: '/sessions/hash', body: null },
  'sessions.rebaseline': { path: `/sessions/${encodeURIComponent(tower)}/rebaseline`, body: null },
  'sessions.create': {
    path: '/sessions',
    body: { file: 'sesje/2026.md', ...session, metadata: enacting },
  },
  'sessions.update': {
    path: `/sessions/${encodeURIComponent(bridge)}`,
    body: { content: session.content, metadata: enacting },
  },
  'sessions.report': { path: '/sessions/report', body: { ...session, metadata } },
  'workflows.openSession': {
    path: '/workflows/open-session',
    body: { file: 'sesje/2026.md', ...session, metadata: enacting },
  },
  'sessionRegistry.regenerate': { path: '/session-registry/regenerate', body: null },
  'logs.fetch': {
    path: '/logs/fetch',
    body: { url: 'https://logi.example/1' },
    lookups: { url: [422, 'LogSourceRefused'] },
  },
  'sessions.logs.refresh': {
    path: `/sessions/${encodeURIComponent(bridge)}/logs/refresh`,
    body: { mode: 'missing' },
    lookups: { mode: noSuchId },
  },
  'logs.import': {
    path: '/logs/import',
    body: { url: 'https://logi.example/9', content: '[20:15] [Lokalny] Wit Kłos: Dobry wieczór.' },
    lookups: { url: [422, 'LogSourceRefused'] },
  },
  'training.samples.confirm': {
    path: '/training/samples/confirm',
    body: {
      ...{ id: contractSamples.plain, class: 'entity-span', outcome: 'correct', label: 'Region' },
      ...{ referent: 'Zamorze', note: 'To miejsce.' },
    },
    lookups: { id: [404, 'SampleNotFound'], outcome: noSuchId },
  },
  // Each of its rulings is refused apart, by the rules of the row above.
  'training.samplesConfirmations.add': { path: '/training/samples/confirmations', body: null },
}
