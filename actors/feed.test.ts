import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import type { EventFeed, EventItem } from '#src/ports/records.js'
import { makeKeptEvents } from '#test/support/kept-events.js'
import { runsOf } from '#test/support/runs.js'
import { eventFeed } from './event-journal.js'

const limits = { lines: 3, bytes: 1_000_000 }

const allAfter = async (feed: EventFeed, after: number): Promise<ReadonlyArray<EventItem>> => {
  const items: Array<EventItem> = []
  for (let at = after; at !== feed.head(); at = items.at(-1)?.seq ?? feed.head()) {
    const part = await feed.after(at, limits, null)
    ok(part.items.length > 0)
    items.push(...part.items)
  }
  return items
}

/** The numbers that items account for, each once, in order. */
const listCovered = (items: ReadonlyArray<EventItem>): ReadonlyArray<number> =>
  items.flatMap(item =>
    item._tag === 'Event'
      ? [item.seq]
      : Array.from({ length: item.gap.to - item.gap.from + 1 }, (_, at) => item.gap.from + at),
  )

describe('the feed of events', () => {
  it('gives exactly what comes behind a number, whatever the log has lost', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.uniqueArray(fc.integer({ min: 1, max: 60 })),
        fc.nat(60),
        async (count, dropped, after) => {
          const { feed: first, log, add } = makeKeptEvents()
          await add(count)
          log.drop(seq => dropped.includes(seq))
          // The feed of the next boot has nothing in memory.
          const feed = eventFeed(log)
          feed.opened(count + 1)
          const from = Math.min(after, count)
          const expected = Array.from({ length: count - from }, (_, at) => from + at + 1)
          const items = await allAfter(feed, from)
          deepEqual(listCovered(items), expected)
          deepEqual(
            items.flatMap(item => (item._tag === 'Event' ? [item.seq] : [])),
            expected.filter(seq => !dropped.includes(seq)),
          )
          deepEqual(listCovered(await allAfter(first, from)), expected)
        },
      ),
      { numRuns: runsOf(200) },
    )
  })

  it('tells a reader that is ahead so, and goes on from the head', async () => {
    const { feed, add } = makeKeptEvents()
    await add(2)
    const { items } = await feed.after(7, limits, null)
    deepEqual(items, [{ _tag: 'Gap', seq: 2, gap: { from: 3, to: 7, reason: 'ahead' } }])
  })

  it('without a journal tells what is no longer in memory as pruned', async () => {
    const feed = eventFeed(null)
    feed.opened(1_000)
    feed.give([{ seq: 1_000, text: '{}' }])
    deepEqual((await feed.after(990, limits, null)).items, [
      { _tag: 'Gap', seq: 999, gap: { from: 991, to: 999, reason: 'pruned' } },
    ])
    deepEqual(
      (await feed.after(999, limits, null)).items.map(item => item._tag),
      ['Event'],
    )
  })

  it('keeps no more than a mebibyte in memory', async () => {
    const feed = eventFeed(null)
    const text = 'x'.repeat(100_000)
    for (let seq = 1; seq <= 30; seq += 1) feed.give([{ seq, text }])
    const [first] = (await feed.after(0, limits, null)).items
    equal(first?._tag, 'Gap')
    equal(first.seq, 20)
  })
})
