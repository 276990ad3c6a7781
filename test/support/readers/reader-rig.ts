import { randomUUID } from 'node:crypto'
import { realClock } from '#src/kernel/time/clock.js'
import {
  type OpenReader,
  type PublishedInputs,
  type ReaderDesk,
  readerDesk,
} from '#src/node/readers/readers.js'
import type { SearchExchange } from '#src/node/search/tier-asker.js'
import { type Build, buildSnapshot, type Inputs } from '#src/snapshot/build.js'
import { type DeskLimits, readerLimits } from '#src/snapshot/readers/desk-state.js'
import type { Question } from '#src/snapshot/readers/question.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { eventually } from '#test/support/daemon.js'
import { nowMs } from '#test/support/front.js'
import { noMeter } from '#test/support/no-meter.js'

export interface ReaderRigOptions {
  readonly threads?: number
  readonly open: OpenReader
  readonly limits?: Partial<DeskLimits>
  /** Gives the threads lines to search tiers; if absent, every tier is disabled. */
  readonly joinSearch?: SearchExchange['join']
  /** How long a thread that ended stays down. */
  readonly backoffMs?: number
}

/** Reader threads without a node: with an in-memory keeper, and restarts. */
export interface ReaderRig {
  readonly desk: ReaderDesk
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
  const desk = readerDesk({
    threads,
    limits: { ...readerLimits(threads), ...options.limits },
    open: options.open,
    current: () => published,
    ended: thread => {
      setTimeout(() => {
        if (!closed) desk.start(thread)
      }, backoffMs)
    },
    joinSearch: options.joinSearch ?? (() => () => undefined),
    clock: realClock,
    meter: {
      ...noMeter,
      count: (name, labels) => {
        if (name === 'svc_reader_ends_total' && 'cause' in labels) ends.push(String(labels.cause))
      },
    },
    log: { debug: none, info: none, warn: none, error: none, flush: none },
  })
  for (let thread = 0; thread < threads; thread += 1) desk.start(thread)
  return {
    desk,
    ends,
    snapshot: () => built?.snapshot ?? null,
    publish: inputs => {
      built = buildSnapshot(inputs, built)
      published = { generation: built.snapshot.generation, inputs }
      desk.published()
      return built.snapshot
    },
    live: async wanted => {
      await eventually(
        () => Promise.resolve(desk.live()),
        count => count === wanted,
      )
    },
    close: () => {
      closed = true
      return desk.close()
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
