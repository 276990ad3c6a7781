/** Ascending indexes of a list, some of which are taken out while a merge proceeds. */
export interface OpenPlaces {
  /** The first place at or after `from` that is not taken out; -1 when there is none. Takes log n. */
  readonly next: (from: number) => number
}

/**
 * The places of `sorted` for which `isGone` is false. Once `isGone` returns true for a place it must stay
 * true.
 */
export const makeOpenPlaces = (
  sorted: ReadonlyArray<number>,
  isGone: (place: number) => boolean,
): OpenPlaces => {
  // Each element points to the next place that may still be open, so that taken ones are skipped at once.
  const there = Int32Array.from({ length: sorted.length + 1 }, (_, at) => at)
  const find = (from: number): number => {
    let end = from
    while (end < sorted.length) {
      const further = there[end] ?? sorted.length
      if (further !== end) end = further
      else if (isGone(sorted[end] ?? -1)) {
        there[end] = end + 1
        end += 1
      } else break
    }
    for (let at = from; at < end; ) {
      const further = there[at] ?? end
      there[at] = end
      at = further
    }
    return end
  }
  return {
    next: from => {
      let [low, high] = [0, sorted.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((sorted[middle] ?? 0) < from) low = middle + 1
        else high = middle
      }
      return sorted[find(low)] ?? -1
    },
  }
}
