import type { Tier } from '#protocol/atoms.js'
import { buildSnapshot } from '#src/snapshot/build.js'
import { callerWith, nodeView, type TestFront, testFront } from '#test/support/front.js'
import { inputsOf } from '#test/support/world.js'
import { type MemorySearch, type MemorySearchOptions, searchInMemory } from './search-in-memory.js'

/** Words that nothing but a text that is never indexed has, each in another place. */
export const canaries = {
  index: 'kanarekindeks',
  contributors: 'kanarekskarbiec',
  legacy: 'kanarekgracze',
  webhook: 'kanarekwebhook',
  draft: 'kanarekszkic',
  staged: 'kanareketap',
  registry: 'kanarekrejestr',
  state: 'kanarekstan',
  topics: 'kanarektematy',
  topicRow: 'kanarekwiersz',
  sessionTopics: 'kanareksesja',
  worksTopics: 'kanarekdzielo',
  worksIndex: 'kanarekdzielindeks',
  worksStore: 'kanarekdzielskarbiec',
  worksSession: 'kanarekdzielsesja',
  pdfDoubtful: 'kanarekpdf',
  pdfTopics: 'kanarekpdftematy',
  robot: 'kanarekrobot',
} as const

const files = {
  '.svc/format.json': '{"format": 2}',
  '.svc/notatki.md': `# Stan\n\n${canaries.state}\n`,
  '.svc/staged/2026.md': `### 2026-01-01, Szkic, Solmyr\n\n${canaries.staged}\n`,
  '.robot/kopia.md': `# Kopia\n\n${canaries.robot}\n`,
  'Gracze.md': `# Solmyr\n- PRFWebhook: https://discord.com/api/webhooks/1/${canaries.legacy}\n`,
  'kontrybutorzy.md': `## Gracz\n### Solmyr\n- @gameid: 1\n- @tematy: ${canaries.contributors}\n`,
  'encje/indeks.md': [
    `### Kupiec Orrin\n- @typ: NPC\n- @alias: Kruk\n- @info: ${canaries.index}\n`,
    '### Złoty Smok\n- @typ: Lokacja\n',
    '### Zagroda\n- @typ: Lokacja\n- @alias: Tematy zastrzeżone: pająki\n',
  ].join('\n'),
  'zgłoszenia/nowe.md': `# Zgłoszenie\n\n${canaries.draft}\n`,
  'Lokacje/Erathia/Sesje.md': `# Erathia\n\n${canaries.registry}\n`,
  'Postaci/Gracze/Wit.md': [
    '**Karta Postaci:** https://karty.example/wit',
    `**Tematy zastrzeżone:**\n${canaries.topics}\n`,
    '**Stan:**\nZdrowy jak kamienny most.\n',
  ].join('\n\n'),
  'Opisy/Erathia.md': [
    '# Erathia\n\nMiasto kupców nad rzeką. W porcie stoją statki z przyprawami.\n',
    '## Karczma\n\nW karczmie Pod Dębem kapłanki opowiadają o smokach. Kupcowi Orrinowi nikt nie wierzy.\n',
    `- @tematy_zastrzezone: ${canaries.topicRow}\n  ${canaries.topicRow} dalej\n`,
    `Kanał: https://discord.com/api/webhooks/12/${canaries.webhook}\n`,
  ].join('\n'),
  'Opisy/Zagroda.md': '# Zagroda\n\nPusty dwór za lasem.\n',
  'Wątki/sesje.md': [
    '### 2024-05-03, Most na rzece, Solmyr\n\nOrrin przeszedł przez kamienny most i spotkał smoka.\n',
    `Tematy zastrzeżone: ${canaries.sessionTopics}\n`,
    '### 2025-02-10/12, Wieża, Solmyr\n\nNa wieży płonęły ognie. Strażnicy czuwali.\n',
  ].join('\n'),
}

const works = {
  'regulaminy/sesje.md':
    '# Regulamin sesji\n\n- @diegesis: out-of-game\n- @authority: rada\n\nNarrator prowadzi sesję i rozlicza przepływy monet.\n',
  'kroniki/smoki.md': `# Kronika smoków\n\n- @diegesis: in-game\n\nSmoki mieszkają w górach.\n\nTematy zastrzeżone: ${canaries.worksTopics}\n`,
  'kroniki/kuchnia.md':
    '# Kuchnia zamkowa\n\nPiece.\n\n## Pieczywo\n\nZakwas i żyto.\n\n## Sery\n\nPodpuszczka.\n',
  'kroniki/wpisy.md': `# Wpisy\n\n### 2024-01-01, Sesja, Solmyr\n\n${canaries.worksSession}\n`,
  'kroniki/od-sesji.md': `### 2024-01-02, ${canaries.worksSession}, Solmyr\n\nOgień.\n\n# Dopisek\n\nPopiół.\n`,
  'encje/indeks.md': `### X\n- @info: ${canaries.worksIndex}\n`,
  'kontrybutorzy.md': `## Gracz\n### X\n- @alias: ${canaries.worksStore}\n`,
  'skany/edykt.pdf.json': JSON.stringify({
    pages: [
      { text: 'Edykt o jarmarkach i straganach.', confidence: 0.9 },
      { text: canaries.pdfDoubtful, confidence: 0.3 },
      { text: `Tematy zastrzeżone: ${canaries.pdfTopics}`, confidence: 0.9 },
    ],
  }),
}

interface Hit {
  readonly kind: string
  readonly source: string
  readonly header: string | null
  readonly line: number | null
  readonly date: string | null
  readonly authority: string
  readonly diegesis: string | null
  readonly title: string
  readonly matched: ReadonlyArray<string>
  readonly snippet: string
  readonly spans: ReadonlyArray<{ readonly start: number; readonly end: number }>
}

interface Page {
  readonly error?: string
  readonly Searched: ReadonlyArray<Tier>
  readonly Skipped: ReadonlyArray<Tier>
  readonly Count: number
  readonly Total: number
  readonly Limit: number
  readonly Offset: number
  readonly Items: ReadonlyArray<Hit>
}

export const searchCallers = {
  none: callerWith(['player.read']),
  own: callerWith(['entity.read', 'session.read.own', 'log.read.own', 'external.read.own']),
  entities: callerWith(['entity.read']),
  brzoza: callerWith(['entity.read'], 'Brzoza'),
  jodla: callerWith(['entity.read'], 'Jodła'),
  sessions: callerWith(['entity.read', 'session.read']),
  full: callerWith(['entity.read', 'session.read', 'log.read', 'external.read', 'player.restricted.read']),
}

const inputs = inputsOf(files, { works: {} })

/** A front over a world of which texts of every kind are indexed or left out. */
export const openFront = async (
  options: MemorySearchOptions = {},
): Promise<{ readonly front: TestFront; readonly search: MemorySearch }> => {
  const search = await searchInMemory(inputs, { works, ...options })
  const front = await testFront({
    snapshot: buildSnapshot(inputs, null).snapshot,
    callers: searchCallers,
    node: nodeView({ search: search.search, misses: search.misses }),
  })
  return { front, search }
}

/** Asks a front for hits. */
export const askSearchOf =
  (front: () => TestFront) =>
  async (query: Readonly<Record<string, string>>, token: keyof typeof searchCallers = 'full') => {
    const reply = await front().client.ask(`/search?${new URLSearchParams(query).toString()}`, { token })
    return { status: reply.status, headers: reply.headers, text: reply.text, page: reply.json as Page }
  }
