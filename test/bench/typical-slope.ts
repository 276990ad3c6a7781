import { median } from './figure.js'

/**
 * The growth of a value from one reading to the next: the median of the steps, which neither one outlying reading nor one
 * large step moves, such as a table of the runtime that shrinks once. Needs two readings.
 */
export const typicalSlope = (readings: ReadonlyArray<number>): number =>
  median(readings.slice(1).map((reading, at) => reading - (readings[at] ?? Number.NaN)))
