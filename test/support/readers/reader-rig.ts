import { randomUUID } from 'node:crypto'
import { type PublishedInputs, type ReaderExchange, readerExchange } from '#actors/reader-pool/exchange.js'
import { type Limits, readerLimits } from '#actors/reader-pool/schedule.js'
import { realClock } from '#src/kernel/time/clock.js'
import { connectReader, type OpenReader } from '#src/node/readers/readers.js'
import type { SearchExchange } from '#src/node/search/tier-asker.js'
import { type Build, buildSnapshot, type Inputs } from '#src/snapshot/build.js'
import type { Question } from '#src/snapshot/readers/question.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { eventually } from '#test/support/daemon.js'
import { nowMs } from '#test/support/front.js'
import { noMeter } from '#test/support/no-meter.js'

export interface ReaderRigOptions {
  readonly threads?: number
  readonly open: OpenReader
  readonly limits?: Partial<Limits>
  /** Gives the threads lines to search tiers; if absent, every tier is disabled. */
  readonly joinSearch?: SearchExchange['join']
  /** How long a thread that ended stays down. */
  readonly backoffMs?: number
}

/** Reader threads without a node: with an in-memory keeper, and restarts. */
export interface ReaderRig {
  readonly exchange: ReaderExchange
  readonly snapshot: () => Snapshot | null
  /** Publishes the next generation, as the keeper does. */
  readonly publish: (inputs: Inputs) => Snapshot
  /** Waits until this many threads can answer. */
  readonly live: (threads: number) => Promise<void>
  /** The causes of the ends, in order. */
  readonly ends: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

const none = (): void => undefined

export const readerRig = (options: ReaderRigOptions): ReaderRig => {
  const { threads = 1, backoffMs = 10 } = options
  let published: PublishedInputs | null = null
  let built: Build | null = null
  let closed = false
  const ends: Array<string> = []
  const { open, joinSearch = () => none } = options
  const exchange = readerExchange({
    threads,
    limits: { ...readerLimits(threads), ...options.limits },
    connect: connectReader({ open, joinSearch, clock: realClock, meter: noMeter }),
    current: () => published,
    report: ({ _tag, thread }) => {
      if (_tag === 'Up') return
      setTimeout(() => {
        if (!closed) exchange.start(thread)
      }, backoffMs)
    },
    clock: realClock,
    meter: {
      ...noMeter,
      count: (name, labels) => {
        if (name === 'svc_reader_ends_total' && 'cause' in labels) ends.push(String(labels.cause))
      },
    },
    log: { warn: none, error: none },
  })
  for (let thread = 0; thread < threads; thread += 1) exchange.start(thread)
  return {
    exchange,
    ends,
    snapshot: () => built?.snapshot ?? null,
    publish: inputs => {
      built = buildSnapshot(inputs, built)
      published = { generation: built.snapshot.generation, inputs }
      exchange.published()
      return built.snapshot
    },
    live: async wanted => {
      await eventually(
        () => Promise.resolve(exchange.live()),
        count => count === wanted,
      )
    },
    close: () => {
      closed = true
      return exchange.close()
    },
  }
}

const view = { mayReadRestricted: true, sessions: true, logs: true, external: true } as const

/** A question for a row, of a caller with every capability. */
export const questionFor = (
  snapshot: Snapshot,
  rowId: string,
  given: Partial<Pick<Question, 'path' | 'query' | 'shared'>> = {},
): Question => {
  const { path = {}, query = {}, shared = true } = given
  const key = `${rowId} ${JSON.stringify([path, query])}${shared ? '' : randomUUID()}`
  const caller = { grade: 'full', gracz: null, view } as const
  return { rowId, path, query, caller, nowMs, generation: snapshot.generation, key, gzip: false, shared }
}
