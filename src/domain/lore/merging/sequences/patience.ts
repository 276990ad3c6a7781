import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { Gap } from './common-subsequence.js'

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
export const findAnchors = function* (
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
