import type { Sliced } from '#src/domain/slicing/sliced.js'

/** For each unit of the base the index of its partner on a side, or -1. Two units never share a partner. */
export type Pairing = ReadonlyArray<number>

/**
 * Pairs equal units of two lists that are in the same order: the lines that a diff leaves alone. Between the
 * common beginning and end it finds a longest common subsequence where the table has at most `cellsMax`
 * cells; longer gaps are split at the units that occur once on both sides (patience diff). Beyond the limits
 * on work a unit may stay without a partner, and then counts as removed and added.
 */
export const alignTexts = function* (
  baseTexts: ReadonlyArray<string>,
  sideTexts: ReadonlyArray<string>,
): Sliced<Pairing> {
  const ids = new Map<string, number>()
  const base = yield* numberTexts(baseTexts, ids)
  const side = yield* numberTexts(sideTexts, ids)
  const pairing = base.map(() => -1)
  const pair = (place: number, partner: number): void => {
    pairing[place] = partner
  }
  let [cells, looks] = [0, 0]
  const trimmed = ({ base: [first, last], side: [start, end] }: Gap): Gap => {
    let [from, to, there, until] = [first, last, start, end]
    while (from < to && there < until && base[from] === side[there]) pair(from++, there++)
    while (from < to && there < until && base[to - 1] === side[until - 1]) pair(--to, --until)
    return { base: [from, to], side: [there, until] }
  }
  const gaps: Array<Gap> = [{ base: [0, base.length], side: [0, side.length] }]
  for (let next = gaps.pop(); next !== undefined; next = gaps.pop()) {
    const gap = trimmed(next)
    const size = cellsOf(gap)
    if (size === 0) continue
    if (size <= cellsMax && cells + size <= allCellsMax) {
      cells += size
      yield* pairLongest(base, side, gap, pair)
      continue
    }
    looks += gap.base[1] - gap.base[0] + gap.side[1] - gap.side[0]
    if (looks > looksMax * (base.length + side.length)) continue
    let [place, partner] = [gap.base[0], gap.side[0]]
    const anchors = yield* findAnchors(base, side, gap)
    for (const anchor of anchors) {
      pair(anchor.place, anchor.partner)
      gaps.push({ base: [place, anchor.place], side: [partner, anchor.partner] })
      ;[place, partner] = [anchor.place + 1, anchor.partner + 1]
    }
    if (anchors.length > 0) gaps.push({ base: [place, gap.base[1]], side: [partner, gap.side[1]] })
    yield
  }
  return pairing
}

/**
 * Adds partners for units that have none. Units with equal `match` keys are paired in order; a unit with the
 * key null stays without a partner.
 */
export const pairUnitsBy = function* <U>(
  pairing: Pairing,
  base: ReadonlyArray<U>,
  side: ReadonlyArray<U>,
  match: (unit: U, place: number, list: 'base' | 'side') => string | null,
): Sliced<Pairing> {
  if (!pairing.includes(-1)) return pairing
  const taken = new Set(pairing)
  const free = new Map<string, { next: number; readonly places: Array<number> }>()
  for (const [place, unit] of side.entries()) {
    if (place % unitsPerSlice === unitsPerSlice - 1) yield
    const key = taken.has(place) ? null : match(unit, place, 'side')
    if (key === null) continue
    const queue = free.get(key)
    if (queue === undefined) free.set(key, { next: 0, places: [place] })
    else queue.places.push(place)
  }
  const paired: Array<number> = []
  for (const [place, partner] of pairing.entries()) {
    if (place % unitsPerSlice === unitsPerSlice - 1) yield
    const unit = base[place]
    const key = partner >= 0 || unit === undefined || free.size === 0 ? null : match(unit, place, 'base')
    const queue = key === null ? undefined : free.get(key)
    const found = queue?.places[queue.next]
    if (queue !== undefined) queue.next += 1
    paired.push(key === null ? partner : (found ?? -1))
  }
  return paired
}

/** Numbers the stretch between two partners that contains each index of the base and of the side. */
export const stretches = (
  pairing: Pairing,
  sideLength: number,
): { readonly base: ReadonlyArray<number>; readonly side: ReadonlyArray<number> } => {
  const side = new Array<number>(sideLength).fill(-1)
  const base: Array<number> = []
  let last = -1
  let highest = -1
  pairing.forEach((partner, place) => {
    if (partner > highest) {
      last = place
      highest = partner
      side[partner] = place
    }
    base.push(last)
  })
  let stretch = -1
  return {
    base,
    side: side.map(own => {
      if (own >= 0) stretch = own
      return stretch
    }),
  }
}

/**
 * The order of the base units in a merge: that of the side that moved some, or that of the base when both
 * sides moved some differently.
 */
export const orderOf = (
  ours: { readonly pairing: Pairing; readonly length: number },
  theirs: { readonly pairing: Pairing; readonly length: number },
): ReadonlyArray<number> => {
  const mine = reorderPairing(ours.pairing, ours.length)
  const other = reorderPairing(theirs.pairing, theirs.length)
  const plain = ours.pairing.map((_, place) => place)
  if (mine === null) return other ?? plain
  return other === null || isEqual(other, mine) ? mine : plain
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

const unitsPerSlice = 2048

/** Limit on the cells of one table, which is the work of one call: 16 MB. */
const cellsMax = 4_000_000

/** Limit on the table cells of one alignment together. */
const allCellsMax = 16 * cellsMax
/** How often, on average, a unit may be visited while anchors split gaps. */
const looksMax = 32

/** Replaces texts by numbers, equal texts by equal numbers, so that long lines are compared only once. */
const numberTexts = function* (
  texts: ReadonlyArray<string>,
  ids: Map<string, number>,
): Sliced<Array<number>> {
  const numbers: Array<number> = []
  for (const text of texts) {
    const id = ids.get(text) ?? ids.size
    if (id === ids.size) ids.set(text, id)
    numbers.push(id)
    if (numbers.length % unitsPerSlice === 0) yield
  }
  return numbers
}

const isRising = (pairing: Pairing): boolean => {
  let highest = -1
  return pairing.every(partner => {
    const rises = partner < 0 || partner > highest
    highest = Math.max(highest, partner)
    return rises
  })
}

/**
 * The base units in the order of a side; a unit that the side removed follows the unit before it. Null when
 * the order did not change.
 */
const reorderPairing = (pairing: Pairing, sideLength: number): ReadonlyArray<number> | null => {
  if (isRising(pairing)) return null
  const placeOf = new Int32Array(sideLength).fill(-1)
  pairing.forEach((partner, place) => {
    if (partner >= 0) placeOf[partner] = place
  })
  const order: Array<number> = []
  const takeRemovedFrom = (first: number): void => {
    for (let place = first; pairing[place] === -1; place += 1) order.push(place)
  }
  takeRemovedFrom(0)
  for (const place of placeOf) {
    if (place < 0) continue
    order.push(place)
    takeRemovedFrom(place + 1)
  }
  return order
}

const isEqual = (one: ReadonlyArray<number>, other: ReadonlyArray<number>): boolean =>
  one.length === other.length && one.every((place, at) => place === other[at])

const cellsPerSlice = 200_000

/** A range of indexes in each of the two lists, the end exclusive. */
interface Gap {
  readonly base: readonly [number, number]
  readonly side: readonly [number, number]
}

/** The size of the table that pairing the gap needs. */
const cellsOf = ({ base, side }: Gap): number => (base[1] - base[0]) * (side[1] - side[0])

/**
 * Calls `pair` for a longest common subsequence of the gap. Builds a table of `cellsOf(gap)` cells; the
 * caller keeps it within `cellsMax`.
 */
const pairLongest = function* (
  base: ReadonlyArray<number>,
  side: ReadonlyArray<number>,
  gap: Gap,
  pair: (place: number, partner: number) => void,
): Sliced<void> {
  const [rows, columns] = [gap.base[1] - gap.base[0], gap.side[1] - gap.side[0]]
  const width = columns + 1
  const lengths = new Uint32Array((rows + 1) * width)
  const across = Uint32Array.from(side.slice(gap.side[0], gap.side[1]))
  let cells = 0
  for (let row = rows - 1; row >= 0; row -= 1) {
    const unit = base[gap.base[0] + row]
    const [here, below] = [row * width, (row + 1) * width]
    for (let column = columns - 1; column >= 0; column -= 1) {
      const [down, right] = [lengths[below + column] ?? 0, lengths[here + column + 1] ?? 0]
      lengths[here + column] =
        across[column] === unit ? (lengths[below + column + 1] ?? 0) + 1 : down > right ? down : right
    }
    cells += columns
    if (cells >= cellsPerSlice) {
      cells = 0
      yield
    }
  }
  for (let row = 0, column = 0; row < rows && column < columns; )
    if (base[gap.base[0] + row] === across[column]) pair(gap.base[0] + row++, gap.side[0] + column++)
    else if ((lengths[(row + 1) * width + column] ?? 0) >= (lengths[row * width + column + 1] ?? 0)) row += 1
    else column += 1
}

/**
 * A search for many patterns at once. It reports a pattern by its index in the list that the search was built
 * from.
 */
interface MultiSearch {
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

/** A unit that occurs exactly once in the gap of each list. */
interface Anchor {
  readonly place: number
  readonly partner: number
}

const patienceUnitsPerSlice = 4096

/** The index of each unit that occurs once in a stretch; -1 for one that occurs again. */
const placesIn = function* (
  units: ReadonlyArray<number>,
  [from, to]: readonly [number, number],
): Sliced<ReadonlyMap<number, number>> {
  const places = new Map<number, number>()
  for (let place = from; place < to; place += 1) {
    const unit = units[place] ?? -1
    places.set(unit, places.has(unit) ? -1 : place)
    if ((place - from) % patienceUnitsPerSlice === patienceUnitsPerSlice - 1) yield
  }
  return places
}

/** The longest subsequence of anchors with ascending partners, by patience sorting in n log n. */
const longestRise = (anchors: ReadonlyArray<Anchor>): ReadonlyArray<Anchor> => {
  const tops: Array<number> = []
  const before = new Int32Array(anchors.length)
  anchors.forEach(({ partner }, at) => {
    let [low, high] = [0, tops.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((anchors[tops[middle] ?? 0]?.partner ?? 0) < partner) low = middle + 1
      else high = middle
    }
    before[at] = low === 0 ? -1 : (tops[low - 1] ?? -1)
    tops[low] = at
  })
  const found: Array<Anchor> = []
  for (let at = tops.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const anchor = anchors[at]
    if (anchor !== undefined) found.push(anchor)
  }
  return found.reverse()
}

/** The longest list of units that occur once in the gap of both lists and are in the same order. */
const findAnchors = function* (
  base: ReadonlyArray<number>,
  side: ReadonlyArray<number>,
  gap: Gap,
): Sliced<ReadonlyArray<Anchor>> {
  const there = yield* placesIn(side, gap.side)
  const anchors: Array<Anchor> = []
  // A map keeps insertion order, and a unit that occurs once has one place, so anchors come in order.
  for (const [unit, place] of yield* placesIn(base, gap.base)) {
    const partner = place < 0 ? -1 : (there.get(unit) ?? -1)
    if (partner >= 0) anchors.push({ place, partner })
  }
  yield
  return longestRise(anchors)
}
