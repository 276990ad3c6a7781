import {
  constants,
  type IntervalHistogram,
  monitorEventLoopDelay,
  PerformanceObserver,
} from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { Meter } from '#src/ports/records.js'

/**
 * The meter of this process, for code below the ports that is also used where there is no node: each git, each call of
 * SQLite, each call out. It passes what it is told to every attached meter, and does nothing where none is, as in the
 * command line and in worker threads. A process is one host, so the figures are those of the host.
 */
export const processMeter: Counting = {
  count: (name, labels, by) => {
    for (const meter of attached) meter.count(name, labels, by)
  },
  observe: (name, labels, value) => {
    for (const meter of attached) meter.observe(name, labels, value)
  },
}

/** Attaches a meter until the returned function is called. */
export const attachMeter = (meter: Counting): (() => void) => {
  attached.add(meter)
  return () => void attached.delete(meter)
}

/** Counts major collections from now on. The returned function reads the memory figures of the process. */
export const memoryGauge = (): (() => Memory) => {
  let majorGcs = 0
  const observer = new PerformanceObserver(list => {
    for (const entry of list.getEntries())
      if (kindOf(entry) === constants.NODE_PERFORMANCE_GC_MAJOR) majorGcs += 1
  })
  observer.observe({ entryTypes: ['gc'] })
  return () => {
    const { rss, heapUsed } = process.memoryUsage()
    return {
      rssBytes: rss,
      heapUsedBytes: heapUsed,
      heapLimitBytes: getHeapStatistics().heap_size_limit,
      majorGcs,
    }
  }
}

/**
 * Watches the event loop of this process from the first call on. The returned function reads the longest pause of
 * the last minute, in whole ms.
 */
export const watchLoopLag = (): (() => number) => {
  watch ??= watchLoop()
  return watch
}

type Counting = Pick<Meter, 'count' | 'observe'>

const attached = new Set<Counting>()

interface Memory {
  readonly rssBytes: number
  readonly heapUsedBytes: number
  readonly heapLimitBytes: number
  readonly majorGcs: number
}

const kindOf = (entry: object): unknown =>
  'detail' in entry && typeof entry.detail === 'object' && entry.detail !== null && 'kind' in entry.detail
    ? entry.detail.kind
    : null

/** How often the loop is expected to run: a pause is what it is late by. */
const resolutionMs = 10
/** The last minute is kept in parts, of which the oldest is dropped. */
const partMs = 5_000
const parts = 12

const worstIn = (histogram: IntervalHistogram): number => Math.max(0, histogram.max / 1e6 - resolutionMs)

const watchLoop = (): (() => number) => {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  let past: ReadonlyArray<number> = []
  const keepPart = (): void => {
    past = [worstIn(histogram), ...past].slice(0, parts)
    histogram.reset()
    setTimeout(keepPart, partMs).unref()
  }
  setTimeout(keepPart, partMs).unref()
  return () => Math.round(Math.max(worstIn(histogram), ...past))
}

let watch: (() => number) | null = null
