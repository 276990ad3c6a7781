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
  bar = barOf(method, wholeBytes),
): ReadonlyArray<string> => [
  ...(isOver(cost.cpuMs, bar) ? [describeCost('the request', cost.cpuMs, Math.round(bar))] : []),
  ...(isOver(cost.turnMs, bars.turnMs) ? [describeCost('a turn of the loop', cost.turnMs, bars.turnMs)] : []),
]

/** How long the main thread did other things between two answers of `/health`, ms of processor time. */
export const healthViolations = (ms: number, isOver: IsOver): ReadonlyArray<string> =>
  isOver(ms, bars.healthMs)
    ? [describeCost('what came between two answers of /health', ms, bars.healthMs)]
    : []

/** What one caller made a folder of the host grow by, bytes. */
export const growthViolations = (what: string, before: number, after: number): ReadonlyArray<string> => {
  const mib = (after - before) / 1024 / 1024
  return mib > bars.growthMib
    ? [`the writes of one caller made ${what} grow by ${mib.toFixed(1)} MiB, more than ${bars.growthMib}`]
    : []
}

/** Memory that a round kept, MiB; `cacheMb` is what a bounded cache may have taken of it. */
export const heapViolations = (beforeMb: number, afterMb: number, cacheMb = 0): ReadonlyArray<string> =>
  afterMb - beforeMb > bars.heapGrowthMb + cacheMb
    ? [`the heap grew from ${Math.round(beforeMb)} to ${Math.round(afterMb)} MiB and stays there`]
    : []
