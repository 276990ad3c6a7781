import { constants, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'

export interface Memory {
  readonly rssBytes: number
  readonly heapUsedBytes: number
  readonly heapLimitBytes: number
  readonly majorGcs: number
}

const kindOf = (entry: object): unknown =>
  'detail' in entry && typeof entry.detail === 'object' && entry.detail !== null && 'kind' in entry.detail
    ? entry.detail.kind
    : null

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
