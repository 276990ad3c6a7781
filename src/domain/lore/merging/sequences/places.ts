/** Places in a list, ascending, some of which are taken out as a merge goes on. */
export interface Places {
  /** The first place from `from` on that is not taken out, or -1. Log n. */
  readonly next: (from: number) => number
}

/** The places of `sorted` that `isGone` does not tell of; what is gone once stays gone. */
export const openPlaces = (sorted: ReadonlyArray<number>, isGone: (place: number) => boolean): Places => {
  // Each entry points at one that may still be there, at or behind it: gone ones are skipped at once.
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
