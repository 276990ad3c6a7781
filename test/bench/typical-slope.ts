import { median } from './figure.js'

/**
 * The growth of a value from one reading to the next: the median of the slopes between all pairs of readings (Theil
 * and Sen), which one outlying reading hardly moves. Needs two readings.
 */
export const typicalSlope = (readings: ReadonlyArray<number>): number =>
  median(
    readings.flatMap((from, at) => readings.slice(at + 1).map((to, further) => (to - from) / (further + 1))),
  )
