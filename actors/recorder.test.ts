import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { tell } from '#src/kernel/actor/ref.js'
import { makeKeptEvents } from '#test/support/kept-events.js'
import { kernelWorld } from '#test/support/kernel/kernel-world.js'
import { type JournalPorts, journalWork, publishTo, type WaitingEvent } from './event-journal.js'
import { makePending } from './pending.js'
import { type RecorderPorts, recorder } from './recorder.js'

const wake = (urgent: boolean) => ({ _tag: 'Wake', urgent }) as const

/** Ports that record their calls; with `hold`, a flush waits until the test releases it. */
const makeNotes = (hold = false) => {
  const done: Array<string> = []
  let release = (): void => undefined
  const note = (what: string) => () => {
    done.push(what)
    return Promise.resolve()
  }
  const ports: RecorderPorts = {
    open: note('open'),
    flush: () => {
      done.push('flush')
      return hold
        ? new Promise(resolve => {
            release = resolve
          })
        : Promise.resolve()
    },
    tidy: note('tidy'),
    close: note('close'),
  }
  return { done, ports, release: () => release() }
}

describe('a recorder', () => {
  it('flushes once for all that waits a moment, at once for what is urgent, and what is left at its drain', async () => {
    const world = kernelWorld()
    const { done, ports } = makeNotes()
    const { ref, tree } = await world.alone(recorder('streams', 200), ports)
    deepEqual(done.splice(0), ['open', 'flush'])
    for (let count = 0; count < 5; count += 1) tell(ref, wake(false))
    await world.advance(199)
    deepEqual(done, [])
    await world.advance(1)
    deepEqual(done.splice(0), ['flush'])
    tell(ref, wake(false))
    tell(ref, wake(true))
    await world.settle()
    deepEqual(done.splice(0), ['flush'])
    tell(ref, wake(false))
    const drained = tree.drain(1_000)
    await world.settle()
    deepEqual(await drained, [])
    deepEqual(done, ['flush', 'close'])
  })

  it('flushes again for what came during a flush', async () => {
    const world = kernelWorld()
    const { done, ports, release } = makeNotes(true)
    const { ref } = await world.alone(recorder('event-journal', 0), ports)
    for (let count = 0; count < 3; count += 1) tell(ref, wake(true))
    await world.settle()
    deepEqual(done, ['open', 'flush'])
    release()
    await world.settle()
    deepEqual(done, ['open', 'flush', 'flush'])
    release()
    await world.settle()
    deepEqual(done, ['open', 'flush', 'flush'])
  })
})

describe('the journal', () => {
  const journal = () => {
    const { log, feed } = makeKeptEvents()
    const lost: Array<string> = []
    const gaps: Array<readonly [number, number]> = []
    const waiting = makePending<WaitingEvent>({ items: 3, bytes: 100_000 })
    let isFull = false
    let durableHead = 0
    const shown: Array<number> = []
    const failing: JournalPorts['log'] = {
      ...log,
      append: async (objects, durable) => {
        if (isFull) throw new Error('ENOSPC')
        const lines = await log.append(objects, durable)
        shown.push(feed.head())
        if (durable) durableHead = lines.at(-1)?.seq ?? durableHead
        return lines
      },
    }
    const tellLost: JournalPorts['lost'] = (kinds, reason) => void lost.push(`${kinds.join()}: ${reason}`)
    const nothing = (): void => undefined
    const work = journalWork({
      log: failing,
      feed,
      waiting,
      lost: tellLost,
      opened: nothing,
      appended: nothing,
      outOfSequence: (next, head) => void gaps.push([next, head]),
      untidy: nothing,
    })
    const publish = publishTo({ waiting, wake: nothing, nowMs: () => 0, scrub: text => text, lost: tellLost })
    const texts = async (): Promise<ReadonlyArray<string>> =>
      (await feed.after(0, { lines: 100, bytes: 1_000_000 }, null)).items.map(item =>
        item._tag === 'Event' ? item.text : item._tag,
      )
    return {
      work,
      publish,
      lost,
      gaps,
      log,
      texts,
      feed,
      /** What readers saw at the end of each append, and the last number that is durable. */
      shown,
      durableHead: () => durableHead,
      fill: (full: boolean) => {
        isFull = full
      },
    }
  }

  it('loses what the disk refuses, tells of it, and gives the number to the next', async () => {
    const { work, publish, lost, feed, fill } = journal()
    publish('sync:failed', { action: 'fetch', detail: 'a' })
    await work.flush()
    fill(true)
    publish('sync:failed', { action: 'fetch', detail: 'b' })
    await work.flush()
    fill(false)
    publish('sync:failed', { action: 'fetch', detail: 'c' })
    await work.flush()
    deepEqual(lost, ['sync:failed: ENOSPC'])
    equal(feed.head(), 2)
  })

  it('shows its readers an event that is durable, and none before (S27)', async () => {
    const { work, publish, feed, shown, durableHead } = journal()
    for (const detail of ['a', 'b']) publish('sync:failed', { action: 'fetch', detail })
    await work.flush()
    publish('sync:failed', { action: 'fetch', detail: 'c' })
    await work.flush()
    deepEqual([shown, durableHead(), feed.head()], [[0, 2], 3, 3])
  })

  it('refuses a payload that is not what its kind says, and leaves out what its codec does not name', async () => {
    const { work, publish, lost, texts } = journal()
    Reflect.apply(publish, null, ['sync:failed', { action: 1, detail: 'x' }])
    Reflect.apply(publish, null, ['sync:failed', { action: 'push', detail: 'x', token: 'secret' }])
    await work.flush()
    deepEqual(lost, ['sync:failed: its payload does not match its kind'])
    deepEqual(await texts(), [
      '{"seq":1,"at":"1970-01-01T00:00:00.000Z","kind":"sync:failed","payload":{"action":"push","detail":"x"}}',
    ])
  })

  it('reports a number that does not follow the last one that readers saw', async () => {
    const { work, publish, gaps, feed, log } = journal()
    await work.open()
    await log.append(['{}'], true)
    publish('sync:failed', { action: 'fetch', detail: 'a' })
    await work.flush()
    deepEqual(gaps, [[2, 0]])
    feed.opened(10)
    await work.open()
    deepEqual(gaps.length, 2)
  })

  it('loses at the door what does not fit', () => {
    const { publish, lost } = journal()
    for (let at = 0; at < 4; at += 1) publish('sync:failed', { action: 'push', detail: 'x' })
    publish('sync:failed', { action: 'push', detail: 'x'.repeat(300_000) })
    deepEqual(lost, ['sync:failed: the queue for the disk is full', 'sync:failed: it is too large'])
  })
})
