import { type Figure, holds } from './figure.js'

/** Units of what depends on the machine and on its load, and so is not judged where machines differ. */
const machineUnits: ReadonlySet<string> = new Set([
  'ms',
  'us',
  'MB',
  'MiB',
  'KB',
  'answers/s',
  'words/s',
  '% cpu',
])

/** What a floor is of its bar: a ratio of one run on a busy machine is that far off. */
const floorShare = 0.85

/**
 * Bars that this build misses, with what their figures must not exceed meanwhile: a share of what was seen, so that a
 * change that makes one worse is noticed. A row goes when its bar is met (ADR 1037).
 */
const missed: ReadonlyMap<string, number> = new Map([['throughput that the record of a request costs', 16]])

/** A figure as a machine that others use judges it: ratios and counts against a floor, times and memory not at all. */
export const withFloor = (figure: Figure): Figure => {
  const { bar, unit } = figure
  if (bar === null || machineUnits.has(unit)) return { ...figure, bar: null }
  const floor = bar.kind === 'least' ? bar.value * floorShare : bar.value / floorShare
  const value = missed.get(figure.name) ?? floor
  // The floor is what the spread stands for elsewhere.
  return { ...figure, bar: { ...bar, value }, spread: 0 }
}

const better = (one: Figure, other: Figure): Figure => {
  if (one.seen === null || other.seen === null) return one.seen === null ? other : one
  if (one.bar === null) return other
  return (one.bar.kind === 'least' ? other.seen > one.seen : other.seen < one.seen) ? other : one
}

/** The best of each figure over several attempts at all of them; of a figure without a bar, the last. */
export const bestOf = (attempts: ReadonlyArray<ReadonlyArray<Figure>>): ReadonlyArray<Figure> => {
  const best = new Map<string, Figure>()
  for (const figure of attempts.flat()) {
    const known = best.get(figure.name)
    best.set(figure.name, known === undefined ? figure : better(known, figure))
  }
  return [...best.values()]
}

export interface Attempts {
  readonly most: number
  /** No attempt begins after so long. */
  readonly limitMs: number
  readonly monotonicMs: () => number
}

/** Measures again, up to the bounds, until every figure has held its floor once. */
export const measureUntilHeld = async (
  measure: () => Promise<ReadonlyArray<Figure>>,
  { most, limitMs, monotonicMs }: Attempts,
): Promise<ReadonlyArray<Figure>> => {
  const startedMs = monotonicMs()
  const attempts: Array<ReadonlyArray<Figure>> = []
  let best: ReadonlyArray<Figure> = []
  do {
    attempts.push((await measure()).map(withFloor))
    best = bestOf(attempts)
  } while (attempts.length < most && !best.every(holds) && monotonicMs() - startedMs < limitMs)
  return best
}
