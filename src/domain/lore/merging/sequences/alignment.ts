import type { Sliced } from '#src/domain/slicing/sliced.js'
import { cellsMax, cellsOf, type Gap, pairLongest } from './common-subsequence.js'
import { findAnchors } from './patience.js'

/** For each unit of the base the index of its partner on a side, or -1. Two units never share a partner. */
export type Pairing = ReadonlyArray<number>

const unitsPerSlice = 2048

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
