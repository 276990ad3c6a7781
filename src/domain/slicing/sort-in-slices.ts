import type { Sliced } from './sliced.js'

/** How many items are sorted between two yields. */
const chunkLength = 1024

const mergeRuns = function* <A>(
  one: ReadonlyArray<A>,
  two: ReadonlyArray<A>,
  compare: (one: A, other: A) => number,
): Sliced<ReadonlyArray<A>> {
  const merged: Array<A> = []
  let at = 0
  for (const item of one) {
    for (let other = two[at]; other !== undefined && compare(item, other) > 0; other = two[at]) {
      merged.push(other)
      at += 1
      if (merged.length % chunkLength === 0) yield
    }
    merged.push(item)
    if (merged.length % chunkLength === 0) yield
  }
  for (const item of two.slice(at)) merged.push(item)
  return merged
}

/** A stable merge sort that yields between chunks; does not change `items`. */
export const sortInSlices = function* <A>(
  items: ReadonlyArray<A>,
  compare: (one: A, other: A) => number,
): Sliced<ReadonlyArray<A>> {
  let runs: Array<ReadonlyArray<A>> = []
  for (let at = 0; at < items.length; at += chunkLength) {
    runs.push(items.slice(at, at + chunkLength).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const merged: Array<ReadonlyArray<A>> = []
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* mergeRuns(runs[at] ?? [], runs[at + 1] ?? [], compare))
    runs = merged
  }
  return runs[0] ?? []
}
