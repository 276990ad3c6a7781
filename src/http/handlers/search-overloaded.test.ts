import { equal } from 'node:assert/strict'
import { left } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { refuse } from '#protocol/refusal.js'
import { nodeView, type TestFront, testFront } from '#test/support/front.js'
import { worldOf } from '#test/support/world.js'

const live = { _tag: 'Live', engine: 'wink', stamp: 'of the tests', documents: 1 } as const
const states = { lore: live, session: live, speech: live, external: live }

/** A front whose tiers answer no question and build nothing. */
const openBroken = (): Promise<TestFront> =>
  testFront({
    snapshot: worldOf({ 'Wątki/Trakt.md': '# Trakt\n\nKupiec jedzie.\n' }),
    node: nodeView({
      search: {
        asker: {
          states: () => states,
          rank: () => Promise.resolve({ _tag: 'Failed', reason: 'ended' }),
          watch: () => undefined,
        },
        readPassage: () => Promise.resolve(null),
        record: () => Promise.resolve(),
      },
      rebuildSearch: () => Promise.resolve(left(refuse('Overloaded', 'No index was built.'))),
    }),
  })

describe('search whose tiers fail', () => {
  it('is 503 where a tier that is asked for by name gives no ranking, or where none does', async () => {
    const front = await openBroken()
    try {
      for (const path of ['/search?q=kupiec&scope=lore', '/search?q=kupiec']) {
        const { status, json } = await front.client.ask(path)
        equal(status, 503, path)
        equal((json as { readonly error?: string }).error, 'Overloaded', path)
      }
    } finally {
      await front.close()
    }
  })

  it('is 503 where no index can be built', async () => {
    const front = await openBroken()
    try {
      const { status } = await front.client.ask('/search/index/rebuild', { method: 'POST', body: '{}' })
      equal(status, 503)
    } finally {
      await front.close()
    }
  })
})
