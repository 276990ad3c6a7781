import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { askSearchOf, canaries, openFront, type searchCallers } from '#test/support/search/search-world.js'

describe('search', () => {
  let opened: Awaited<ReturnType<typeof openFront>>
  before(async () => {
    opened = await openFront()
  })
  after(() => opened.front.close())
  const ask = askSearchOf(() => opened.front)
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

  it('shows the title of a works document before that of the section', async () => {
    const titlesOf = async (q: string) => (await ask({ q })).page.Items.map(({ title }) => title)
    deepEqual(await titlesOf('zakwasem'), ['Kuchnia zamkowa › Pieczywo'])
    deepEqual(await titlesOf('piece'), ['Kuchnia zamkowa'])
    deepEqual(await titlesOf('popiołem'), ['Dopisek'])
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

  it('confirms no guess of topics that are hidden in another spelling', async () => {
    for (const q of [
      'Tematy zastrzeżone: pająki',
      'pająki',
      'zastrzeżone pająki',
      'tematy zastrzeżone pająka',
    ])
      ok(!(await ask({ q })).text.includes('Zagroda'), q)
    ok((await ask({ q: 'zagrodą' })).text.includes('Zagroda'))
    const misses = await opened.front.client.ask('/search/zero-results')
    ok(misses.text.includes('pająki') && !misses.text.includes('Zagroda'))
  })

  it('searches the tiers that the caller holds in full, and names those that it skips', async () => {
    equal((await ask({ q: 'smok' }, 'none')).status, 403)
    const tiersOf = async (token: keyof typeof searchCallers) => {
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

  it('has a validator for a page with hits and for one without, which is counted each time that it is asked', async () => {
    const get = (etag: string) =>
      opened.front.client.ask('/search?q=nieistnienie', { token: 'full', headers: { 'If-None-Match': etag } })
    const timesAsked = async () =>
      /"query":"nieistnienie"[^}]*"count":(\d+)/iu.exec(
        (await opened.front.client.ask('/search/zero-results')).text,
      )?.[1]
    for (const q of ['smok', 'nieistnienie']) equal(typeof (await ask({ q })).headers.etag, 'string')
    const etag = String((await ask({ q: 'nieistnienie' })).headers.etag)
    equal(etag === (await ask({ q: 'nieistnienie drugie' })).headers.etag, false)
    const { status, text, headers } = await get(etag)
    deepEqual([status, text, headers.etag], [304, '', etag])
    equal(await timesAsked(), '3')
  })
})
