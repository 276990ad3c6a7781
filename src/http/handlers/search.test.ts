import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import type { Tier } from '#protocol/search/tier.js'
import { buildSnapshot } from '#src/snapshot/build.js'
import { callerWith, nodeView, type TestFront, testFront } from '#test/support/front.js'
import {
  type MemorySearch,
  type MemorySearchOptions,
  searchInMemory,
} from '#test/support/search/search-in-memory.js'
import { inputsOf } from '#test/support/world.js'

/** Words that nothing but a text that is never indexed has, each in another place. */
const canaries = {
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
  'kroniki/wpisy.md': `# Wpisy\n\n### 2024-01-01, Sesja, Solmyr\n\n${canaries.worksSession}\n`,
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

const callers = {
  none: callerWith(['player.read']),
  own: callerWith(['entity.read', 'session.read.own', 'log.read.own', 'external.read.own']),
  entities: callerWith(['entity.read']),
  sessions: callerWith(['entity.read', 'session.read']),
  full: callerWith(['entity.read', 'session.read', 'log.read', 'external.read', 'player.restricted.read']),
}

const inputs = inputsOf(files, { works: {} })

const openFront = async (
  options: MemorySearchOptions = {},
): Promise<{ readonly front: TestFront; readonly search: MemorySearch }> => {
  const search = await searchInMemory(inputs, { works, ...options })
  const front = await testFront({
    snapshot: buildSnapshot(inputs, null).snapshot,
    callers,
    node: nodeView({ search: search.search, misses: search.misses }),
  })
  return { front, search }
}

const asking =
  (front: () => TestFront) =>
  async (query: Readonly<Record<string, string>>, token: keyof typeof callers = 'full') => {
    const reply = await front().client.ask(`/search?${new URLSearchParams(query)}`, { token })
    return { status: reply.status, headers: reply.headers, text: reply.text, page: reply.json as Page }
  }

describe('search', () => {
  let opened: Awaited<ReturnType<typeof openFront>>
  before(async () => {
    opened = await openFront()
  })
  after(() => opened.front.close())
  const ask = asking(() => opened.front)
  const sources = async (q: string, more: Readonly<Record<string, string>> = {}) =>
    (await ask({ q, ...more })).page.Items.map(({ source, header }) => header ?? source)

  it('finds a text by words in other forms, and by words typed without diacritics', async () => {
    deepEqual(await sources('karczmą kapłance'), ['Opisy/Erathia.md'])
    deepEqual(await sources('wieze straznika'), ['2025-02-10/12, Wieża, Solmyr'])
    deepEqual(await sources('przepływem'), ['regulaminy/sesje.md'])
    deepEqual(await sources('stragany jarmarków'), ['skany/edykt.pdf'])
  })

  it('finds a name in every form, and texts by an alias that is newer than they are', async () => {
    const found = await ask({ q: 'Orrinem' })
    deepEqual(
      found.page.Items.map(({ source }) => source),
      ['Opisy/Erathia.md', 'Wątki/sesje.md'],
    )
    deepEqual(found.page.Items[0]?.matched, ['Orrinem'])
    ok((await sources('Kruka')).includes('Opisy/Erathia.md'))
  })

  it('shows the passage with its words marked, its line, its day and what it states', async () => {
    const { page } = await ask({ q: 'smokiem', scope: 'lore,session,external' })
    const [lore, session, external] = page.Items
    deepEqual([lore?.kind, lore?.title, lore?.line, lore?.authority], ['lore', 'Karczma', 5, 'rada'])
    deepEqual(
      [session?.kind, session?.date, session?.header],
      ['session', '2024-05-03', '2024-05-03, Most na rzece, Solmyr'],
    )
    deepEqual([external?.kind, external?.diegesis, external?.authority], ['external', 'in-game', 'external'])
    for (const hit of page.Items)
      for (const { start, end } of hit.spans) ok(/^smok/iu.test(hit.snippet.slice(start, end)), hit.snippet)
    ok(page.Items.every(({ spans }) => spans.length > 0))
  })

  it('never answers with a text that is not indexed, to any caller', async () => {
    for (const word of Object.values(canaries)) {
      equal((await ask({ q: word })).page.Total, 0, word)
      for (const tier of ['lore', 'session', 'external'] as const)
        ok(!JSON.stringify(opened.search.documents[tier]).includes(word), `${tier} ${word}`)
    }
    for (const q of ['kamienny most', 'karczma smok', 'sesja', 'Erathia', 'stan', 'tematy zastrzeżone'])
      for (const word of Object.values(canaries)) ok(!(await ask({ q })).text.includes(word), `${q} ${word}`)
  })

  it('searches the tiers that the caller holds in full, and names those that it skips', async () => {
    equal((await ask({ q: 'smok' }, 'none')).status, 403)
    const tiersOf = async (token: keyof typeof callers) => {
      const { page } = await ask({ q: 'smok' }, token)
      return [page.Searched, page.Skipped, page.Items.map(({ kind }) => kind)]
    }
    deepEqual(await tiersOf('own'), [['lore'], ['session', 'speech', 'external'], ['lore']])
    deepEqual(await tiersOf('entities'), await tiersOf('own'))
    deepEqual(await tiersOf('sessions'), [
      ['lore', 'session'],
      ['speech', 'external'],
      ['lore', 'session'],
    ])
    deepEqual(await tiersOf('full'), [
      ['lore', 'session', 'speech', 'external'],
      [],
      ['lore', 'session', 'external'],
    ])
  })

  it('refuses a scope of which the caller holds nothing, before it says that a tier has no index', async () => {
    const { status, page } = await ask({ q: 'smok', scope: 'session,external' }, 'own')
    deepEqual([status, page.error], [403, 'SearchScopeForbidden'])
    equal((await ask({ q: 'smok', scope: 'lore,external' }, 'own')).status, 200)
  })

  it('refuses bad parameters by name', async () => {
    const errorOf = async (query: Readonly<Record<string, string>>) => {
      const { status, page } = await ask(query)
      return `${status} ${page.error}`
    }
    equal(await errorOf({}), '400 SearchQueryMissing')
    equal(await errorOf({ q: '  ' }), '400 SearchQueryMissing')
    equal(await errorOf({ q: 'x'.repeat(1001) }), '400 ParameterInvalid')
    equal(await errorOf({ q: 'x', scope: 'lore,wszystko' }), '400 ParameterInvalid')
    equal(await errorOf({ q: 'x', kind: 'prose' }), '400 SearchKindInvalid')
    equal(await errorOf({ q: 'x', diegesis: 'out' }), '400 SearchDiegesisInvalid')
    equal(await errorOf({ q: 'x', from: '2024-13-01' }), '400 DateInvalid')
    equal(await errorOf({ q: 'x', to: 'wczoraj' }), '400 DateInvalid')
    equal(await errorOf({ q: 'x', asOf: '2024' }), '400 DateInvalid')
    equal(await errorOf({ q: 'x', asOf: '2024-01-01', to: '2024-01-01' }), '400 SearchBoundConflict')
  })

  it('bounds by day, by what was established, by kind and by diegesis', async () => {
    deepEqual(await sources('smok most', { from: '2024-05-03', to: '2024-05-03' }), [
      '2024-05-03, Most na rzece, Solmyr',
    ])
    deepEqual(await sources('smok most', { from: '2024-05-04' }), [])
    deepEqual(await sources('wieża', { from: '2025-02-12' }), ['2025-02-10/12, Wieża, Solmyr'])
    deepEqual(await sources('wieża', { asOf: '2025-02-09' }), [])
    deepEqual(await sources('wieża smok', { asOf: '2025-02-11' }), [
      '2025-02-10/12, Wieża, Solmyr',
      '2024-05-03, Most na rzece, Solmyr',
    ])
    deepEqual(await sources('smok', { kind: 'external' }), ['kroniki/smoki.md'])
    deepEqual(await sources('smok', { diegesis: 'in-game' }), ['kroniki/smoki.md'])
    deepEqual(await sources('sesja', { diegesis: 'mixed' }), [])
  })

  it('pages, with at most 100 hits and the same total behind the end', async () => {
    const { page: whole } = await ask({ q: 'smok' })
    const first = await ask({ q: 'smok', limit: '1' })
    const second = await ask({ q: 'smok', limit: '1', offset: '1' })
    deepEqual([...first.page.Items, ...second.page.Items], whole.Items.slice(0, 2))
    const behind = (await ask({ q: 'smok', offset: '999999' })).page
    deepEqual([behind.Count, behind.Total, behind.Items], [0, whole.Total, []])
    equal((await ask({ q: 'smok', limit: '500' })).page.Limit, 100)
    equal((await ask({ q: 'smok', limit: 'dużo' })).page.Limit, 20)
  })

  it('has a validator for a page with hits and none for one without', async () => {
    const { headers } = await ask({ q: 'smok' })
    equal(typeof headers.etag, 'string')
    equal((await ask({ q: 'nic takiego nie istnieje' })).headers.etag, undefined)
  })
})

describe('search on a host without some indexes', () => {
  const run = async (
    states: NonNullable<MemorySearchOptions['states']>,
    query: Readonly<Record<string, string>>,
  ) => {
    const { front } = await openFront({ states })
    try {
      return await asking(() => front)(query)
    } finally {
      await front.close()
    }
  }

  it('skips a tier without index where all are asked for, and refuses where it is named', async () => {
    const states = { speech: { _tag: 'Disabled' } } as const
    const { page } = await run(states, { q: 'smok' })
    deepEqual([page.Searched, page.Skipped], [['lore', 'session', 'external'], ['speech']])
    const named = await run(states, { q: 'smok', scope: 'lore,speech' })
    deepEqual([named.status, named.page.error], [503, 'SearchIndexDisabled'])
    ok(named.text.includes('server.search_index'))
  })

  it('asks to try again where the index of a named tier is still being built', async () => {
    const states = { lore: { _tag: 'Starting' } } as const
    const named = await run(states, { q: 'smok', scope: 'lore' })
    deepEqual([named.status, named.page.error], [503, 'Starting'])
    notEqual(named.headers['retry-after'], undefined)
    deepEqual((await run(states, { q: 'smok' })).page.Skipped, ['lore'])
  })

  it('says first that a parameter is bad, and then that the tier has no index', async () => {
    const states = { lore: { _tag: 'Disabled' } } as const
    equal((await run(states, { q: 'smok', scope: 'lore', kind: 'x' })).status, 400)
  })
})

describe('queries without a hit', () => {
  const list = async (front: TestFront, token: keyof typeof callers) => {
    const reply = await front.client.ask('/search/zero-results', { token })
    return reply.json as {
      readonly items: ReadonlyArray<Readonly<Record<string, unknown>>>
      readonly total: number
    }
  }

  it('are counted per set of tiers with the nearest names, without credentials and long numbers', async () => {
    const { front } = await openFront()
    const ask = asking(() => front)
    try {
      for (const _ of [1, 2, 3]) await ask({ q: 'Orin zaginął', scope: 'external' })
      await ask({ q: 'hasło sess_abcdef123456 numer 123456789', scope: 'lore' }, 'entities')
      const { items } = await list(front, 'full')
      const [last, first] = items
      deepEqual(
        [first?.query, first?.tiers, first?.count, first?.solvedBy],
        ['Orin zaginął', ['external'], 3, null],
      )
      deepEqual(last?.query, 'hasło sess_[redacted] numer [redacted]')
      deepEqual(
        (await list(front, 'entities')).items.map(({ tiers }) => tiers),
        [['lore']],
      )
      equal((await list(front, 'own')).total, 1)
    } finally {
      await front.close()
    }
  })
})
