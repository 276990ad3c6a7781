import { barOf, bars } from '../bars.js'

/** What a request cost the daemon, ms of processor time. */
export interface Cost {
  readonly cpuMs: number
  readonly turnMs: number
}

type IsOver = (ms: number, bar: number) => boolean

const describeCost = (what: string, ms: number, bar: number): string =>
  `${what} took ${Math.round(ms)} ms of processor time, more than ${bar}`

/** A request that cost more than its bar, or a turn of the loop that was too long. */
export const costViolations = (
  method: string,
  cost: Cost,
  isOver: IsOver,
  wholeBytes = 0,
): ReadonlyArray<string> => [
  ...(isOver(cost.cpuMs, barOf(method, wholeBytes))
    ? [describeCost('the request', cost.cpuMs, Math.round(barOf(method, wholeBytes)))]
    : []),
  ...(isOver(cost.turnMs, bars.turnMs) ? [describeCost('a turn of the loop', cost.turnMs, bars.turnMs)] : []),
]

/** Memory that a round kept, MiB; `cacheMb` is what a bounded cache may have taken of it. */
export const heapViolations = (beforeMb: number, afterMb: number, cacheMb = 0): ReadonlyArray<string> =>
  afterMb - beforeMb > bars.heapGrowthMb + cacheMb
    ? [`the heap grew from ${Math.round(beforeMb)} to ${Math.round(afterMb)} MiB and stays there`]
    : []
