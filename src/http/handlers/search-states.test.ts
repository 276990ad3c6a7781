import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { TestFront } from '#test/support/front.js'
import type { MemorySearchOptions } from '#test/support/search/search-in-memory.js'
import { askSearchOf, openFront, type searchCallers } from '#test/support/search/search-world.js'

describe('search on a host without some indexes', () => {
  const run = async (
    states: NonNullable<MemorySearchOptions['states']>,
    query: Readonly<Record<string, string>>,
  ) => {
    const { front } = await openFront({ states })
    try {
      return await askSearchOf(() => front)(query)
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
  const list = async (front: TestFront, token: keyof typeof searchCallers) => {
    const reply = await front.client.ask('/search/zero-results', { token })
    return reply.json as {
      readonly items: ReadonlyArray<Readonly<Record<string, unknown>>>
      readonly total: number
    }
  }

  it('are counted per set of tiers with the nearest names, without credentials and long numbers', async () => {
    const { front } = await openFront()
    const ask = askSearchOf(() => front)
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
      for (const token of ['entities', 'own', 'brzoza'] as const) equal((await list(front, token)).total, 0)
    } finally {
      await front.close()
    }
  })

  it('are shown to who asked and, by their days, to all once two people asked, without topics', async () => {
    const { front } = await openFront()
    const ask = askSearchOf(() => front)
    const shownTo = async (token: keyof typeof searchCallers) =>
      (await list(front, token)).items.map(({ query }) => query)
    try {
      for (const q of ['niebywałe', 'Tematy zastrzeżone: pająki', 'zastrzeżone tematy: pająki'])
        await ask({ q, scope: 'lore' }, 'brzoza')
      deepEqual([await shownTo('brzoza'), await shownTo('jodla')], [['niebywałe'], []])
      await ask({ q: 'NIEBYWAŁE', scope: 'lore' }, 'jodla')
      for (const token of ['brzoza', 'jodla', 'entities'] as const)
        deepEqual(await shownTo(token), ['NIEBYWAŁE'], token)
      const [item] = (await list(front, 'entities')).items
      deepEqual(
        [item?.['firstAt'], item?.['lastAt'], item?.['asker']],
        ['2026-06-15', '2026-06-15', undefined],
      )
    } finally {
      await front.close()
    }
  })

  it('are not counted where a bound or an index that is missing may be the reason', async () => {
    const { front } = await openFront({ states: { session: { _tag: 'Starting' } } })
    const ask = askSearchOf(() => front)
    try {
      for (const query of [
        { q: 'niebywałe', scope: 'external', from: '2026-01-01' },
        { q: 'niebywałe', scope: 'external', diegesis: 'in-game' },
        { q: 'niebywałe', scope: 'lore', kind: 'external' },
        { q: 'niebywałe' },
      ])
        equal((await ask(query)).page.Total, 0)
      equal((await list(front, 'full')).total, 0)
      await ask({ q: 'niebywałe', scope: 'external' })
      equal((await list(front, 'full')).total, 1)
    } finally {
      await front.close()
    }
  })
})

describe('the list of the indexes', () => {
  it('has the tiers that the caller may search, and nothing of others', async () => {
    const { front } = await openFront()
    const tiersFor = async (token: keyof typeof searchCallers): Promise<ReadonlyArray<string>> => {
      const reply = await front.client.ask('/search/index', { token })
      const { tiers } = reply.json as { readonly tiers: ReadonlyArray<{ readonly tier: string }> }
      return tiers.map(({ tier }) => tier)
    }
    try {
      deepEqual(await tiersFor('own'), ['lore'])
      deepEqual(await tiersFor('entities'), ['lore'])
      deepEqual(await tiersFor('sessions'), ['lore', 'session'])
      deepEqual(await tiersFor('full'), ['lore', 'session', 'speech', 'external'])
    } finally {
      await front.close()
    }
  })
})
