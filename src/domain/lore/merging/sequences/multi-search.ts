import type { Sliced } from '#src/domain/slicing/sliced.js'

/**
 * A search for many patterns at once. It reports a pattern by its index in the list that the search was built
 * from.
 */
export interface MultiSearch {
  /** Visits each pattern that the text contains as a contiguous stretch, once. */
  readonly search: (text: ReadonlyArray<number>, visit: (pattern: number) => void) => void
}

const stepsPerSlice = 2048

/** The prefixes of the patterns as states; state 0 is the empty prefix. */
interface Prefixes {
  /** Per state: the next state for each symbol. */
  readonly nexts: ReadonlyArray<ReadonlyMap<number, number>>
  /** Per state: the pattern that ends here; -1 where none does. */
  readonly ends: ReadonlyArray<number>
}

/** Returns the state after a symbol: the longest prefix that is a suffix of the text so far. */
type Advance = (state: number, symbol: number) => number

interface Automaton {
  readonly ends: ReadonlyArray<number>
  /** Per state: the longest proper suffix of it that is a whole pattern; 0 when there is none. */
  readonly shorter: Int32Array
  readonly advance: Advance
}

const collectPrefixes = function* (patterns: ReadonlyArray<ReadonlyArray<number>>): Sliced<Prefixes> {
  const nexts: Array<Map<number, number>> = [new Map<number, number>()]
  const ends: Array<number> = [-1]
  let steps = 0
  for (const [place, pattern] of patterns.entries()) {
    let state = 0
    for (const symbol of pattern) {
      let next = nexts[state]?.get(symbol)
      if (next === undefined) {
        next = nexts.length
        nexts[state]?.set(symbol, next)
        nexts.push(new Map())
        ends.push(-1)
      }
      state = next
      steps += 1
      if (steps % stepsPerSlice === 0) yield
    }
    ends[state] = place
  }
  return { nexts, ends }
}

/** `suffix` has, per state, its longest proper suffix that is also a state. */
const advanceBy =
  (nexts: Prefixes['nexts'], suffix: Int32Array): Advance =>
  (from, symbol) => {
    let state = from
    for (;;) {
      const next = nexts[state]?.get(symbol)
      if (next !== undefined) return next
      if (state === 0) return 0
      state = suffix[state] ?? 0
    }
  }

const linkPrefixes = function* ({ nexts, ends }: Prefixes): Sliced<Automaton> {
  const suffix = new Int32Array(nexts.length)
  const shorter = new Int32Array(nexts.length)
  const advance = advanceBy(nexts, suffix)
  const queue = [...(nexts[0]?.values() ?? [])]
  for (let at = 0; at < queue.length; at += 1) {
    const state = queue[at] ?? 0
    for (const [symbol, next] of nexts[state] ?? []) {
      const end = advance(suffix[state] ?? 0, symbol)
      suffix[next] = end
      shorter[next] = (ends[end] ?? -1) >= 0 ? end : (shorter[end] ?? 0)
      queue.push(next)
    }
    if (at % stepsPerSlice === 0) yield
  }
  return { ends, shorter, advance }
}

/**
 * Builds a search for many patterns of numbers (Aho and Corasick). Building is linear in the length of the
 * patterns; a search is linear in the length of the text plus the number of patterns found. No pattern may be
 * empty and no two equal.
 */
export const multiSearch = function* (patterns: ReadonlyArray<ReadonlyArray<number>>): Sliced<MultiSearch> {
  const { ends, shorter, advance } = yield* linkPrefixes(yield* collectPrefixes(patterns))
  const seen = new Int32Array(ends.length).fill(-1)
  let searches = 0
  return {
    search: (text, visit) => {
      searches += 1
      let state = 0
      for (const symbol of text) {
        state = advance(state, symbol)
        let found = (ends[state] ?? -1) >= 0 ? state : (shorter[state] ?? 0)
        // When a pattern is found again, all shorter patterns that it ends with were already visited.
        for (; found > 0 && seen[found] !== searches; found = shorter[found] ?? 0) {
          seen[found] = searches
          visit(ends[found] ?? -1)
        }
      }
    },
  }
}
