import { deepEqual, equal } from 'node:assert/strict'
import type { OpenReader } from '#src/node/readers/readers.js'
import type { Inputs } from '#src/snapshot/build.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { nodeView, type TestFront, testFront } from '#test/support/front.js'
import type { Ask, Reply } from '#test/support/http-client.js'
import { exchangeOver } from '#test/support/search/exchange-over.js'
import { searchInMemory } from '#test/support/search/search-in-memory.js'
import { readerRig } from './reader-rig.js'
import { readerThreads } from './reader-threads.js'

/** The visible parts of an answer, without the request id and the date. */
export const comparableOf = (reply: Reply) => {
  const { 'x-request-id': _id, date: _date, ...headers } = reply.headers
  return { status: reply.status, headers, bytes: reply.bytes.toString('base64') }
}

/** Opens threads and counts the answers of each. */
export const countThreads = (): { readonly open: OpenReader; readonly answers: ReadonlyArray<number> } => {
  const answers: Array<number> = []
  const open: OpenReader = events => {
    const at = answers.push(0) - 1
    return readerThreads({
      ...events,
      said: message => {
        if (message._tag === 'Answered') answers[at] = (answers[at] ?? 0) + 1
        events.said(message)
      },
    })
  }
  return { open, answers }
}

/** Two fronts over one world: one answers pooled rows on reader threads, the other itself. */
export interface Pair {
  readonly world: Snapshot
  /** Asks both; fails unless they answer the same bytes, compressed and plain, and 304 with the validator. */
  readonly same: (target: string) => Promise<Reply>
  /** `<row> <answer>` of each question to the threads. */
  readonly asked: ReadonlySet<string>
  /** The number of answers of each thread. */
  readonly answers: ReadonlyArray<number>
  readonly close: () => Promise<void>
}

export const pairOver = async (inputs: Inputs, threads: number): Promise<Pair> => {
  const { open, answers } = countThreads()
  const searching = await searchInMemory(inputs)
  const rig = readerRig({ open, threads, joinSearch: exchangeOver(searching).join })
  const world = rig.publish(inputs)
  await rig.live(threads)
  const asked = new Set<string>()
  const alone: TestFront = await testFront({ snapshot: world, node: nodeView(searching) })
  const helped: TestFront = await testFront({
    snapshot: world,
    node: nodeView(searching),
    readers: async question => {
      // Each question waits for a thread, so that a thread answers every row.
      const answer = await rig.exchange.ask({ ...question, ifIdle: false })
      asked.add(`${question.rowId} ${answer._tag}`)
      return answer
    },
  })
  return {
    world,
    asked,
    answers,
    same: async target => {
      const both = (ask: Ask): Promise<readonly [Reply, Reply]> =>
        Promise.all([helped.client.ask(target, ask), alone.client.ask(target, ask)])
      const packed = await both({ headers: { 'accept-encoding': 'gzip' } })
      deepEqual(comparableOf(packed[0]), comparableOf(packed[1]), target)
      const [one, other] = await both({})
      deepEqual(comparableOf(one), comparableOf(other), target)
      const etag = other.headers.etag
      const known = { headers: { 'if-none-match': etag ?? '' } }
      if (etag !== undefined) equal((await helped.client.ask(target, known)).status, 304)
      return one
    },
    close: async () => {
      await Promise.all([alone.close(), helped.close()])
      await rig.close()
    },
  }
}
