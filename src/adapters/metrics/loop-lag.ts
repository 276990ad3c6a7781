import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'

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

/**
 * Watches the event loop of this process from the first call on. The returned function reads the longest pause of
 * the last minute, in whole ms.
 */
export const watchLoopLag = (): (() => number) => {
  watch ??= watchLoop()
  return watch
}
