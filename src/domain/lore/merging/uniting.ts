import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { Pairing } from './alignment.js'
import type { UnitRules } from './units.js'

/**
 * Limit on the pairs of added units that are compared under one key. Units of a key with more pairs stay
 * separate.
 */
export const unitePairsMax = 16_384

/** Decides which added units become one. */
export interface Uniting<U> {
  /** The key under which a unit may find its counterpart; null when the unit stays separate. */
  readonly keyOf: (unit: U) => string | null
  /** Whether two units can become one, and neither could become one with any other. */
  readonly isLonePair: (ours: U, theirs: U) => boolean
}

export const planUnion = function* <U>(
  ours: ReadonlyArray<Run<U>>,
  theirs: ReadonlyArray<Run<U>>,
  rules: UnitRules<U>,
): Sliced<Uniting<U>> {
  const mine = yield* looseByKey(ours, rules)
  const others = yield* looseByKey(theirs, rules)
  const keyOf = (unit: U): string | null => {
    const key = rules.uniteKey(unit)
    if (key === null) return null
    const pairs = (mine.get(key)?.length ?? 0) * (others.get(key)?.length ?? 0)
    return pairs > unitePairsMax ? null : key
  }
  const counted =
    (known: Map<U, number>, groups: ReadonlyMap<string, ReadonlyArray<U>>) =>
    (unit: U, test: (other: U) => boolean): number => {
      const key = keyOf(unit)
      const before = known.get(unit)
      if (key === null || before !== undefined) return before ?? 0
      const count = countToTwo(groups.get(key) ?? [], test)
      known.set(unit, count)
      return count
    }
  const ofMine = counted(new Map(), mine)
  const ofOthers = counted(new Map(), others)
  const canUnite = (one: U, two: U): boolean =>
    keyOf(one) !== null && keyOf(one) === keyOf(two) && rules.canUnite(one, two)
  return {
    keyOf,
    isLonePair: (one, two) =>
      ofOthers(one, other => canUnite(one, other)) === 1 &&
      canUnite(one, two) &&
      ofMine(two, other => canUnite(other, two)) === 1,
  }
}

/** Adjacent added units that stay together, with the base unit before them. */
export interface Run<U> {
  readonly anchor: number
  readonly units: ReadonlyArray<U>
  /** The number of each unit; equal units have equal numbers. */
  readonly ids: ReadonlyArray<number>
  /** The number of the whole run; equal runs have equal numbers. */
  readonly id: number
  /** The unit of a run of one that is the same wherever it is placed; null for any other run. */
  readonly loose: U | null
}

/** Assigns numbers to units and runs by their content. */
export interface RunNumbers<U> {
  readonly unitId: (unit: U) => number
  readonly run: (anchor: number, units: ReadonlyArray<U>, ids: ReadonlyArray<number>) => Run<U>
}

/** Gives equal units, and equal runs, equal numbers, so that they are compared as integers. */
export const numberRuns = <U>(rules: UnitRules<U>): RunNumbers<U> => {
  const units = new Map<string, number>()
  const runs = new Map<number | string, number>()
  const numberIn = <K>(known: Map<K, number>, key: K): number => {
    const id = known.get(key) ?? known.size
    if (id === known.size) known.set(key, id)
    return id
  }
  return {
    unitId: unit => numberIn(units, rules.key(unit)),
    run: (anchor, members, ids) => {
      const [first, second] = [members[0], members[1]]
      const isSingle = first !== undefined && second === undefined
      const id = numberIn(runs, isSingle ? (ids[0] ?? -1) : ids.join(' '))
      return { anchor, units: members, ids, id, loose: isSingle && rules.isLoose(first) ? first : null }
    },
  }
}

/** The units that a side added to the base, as runs in the order of the side. */
export const findAddedRuns = function* <U>(
  side: ReadonlyArray<U>,
  pairing: Pairing,
  rules: UnitRules<U>,
  numbers: RunNumbers<U>,
): Sliced<ReadonlyArray<Run<U>>> {
  const partners = new Map<number, number>()
  for (const [place, partner] of pairing.entries()) if (partner >= 0) partners.set(partner, place)
  const drafts: Array<{ readonly anchor: number; readonly units: Array<U>; readonly ids: Array<number> }> = []
  let anchor = -1
  let isBehindAdded = false
  for (const [place, unit] of side.entries()) {
    if (place % unitsPerSlice === unitsPerSlice - 1) yield
    const partner = partners.get(place)
    const last = drafts.at(-1)
    if (partner !== undefined) anchor = partner
    else if (isBehindAdded && last !== undefined && rules.sticks(unit, last.units)) {
      last.units.push(unit)
      last.ids.push(numbers.unitId(unit))
    } else drafts.push({ anchor, units: [unit], ids: [numbers.unitId(unit)] })
    isBehindAdded = partner === undefined
  }
  const runs: Array<Run<U>> = []
  for (const draft of drafts) {
    if (runs.length % unitsPerSlice === unitsPerSlice - 1) yield
    runs.push(numbers.run(draft.anchor, draft.units, draft.ids))
  }
  return runs
}

/** The runs after each base unit; -1 is the place before the first. */
export const runsByAnchor = <U>(runs: Iterable<Run<U>>): ReadonlyMap<number, ReadonlyArray<Run<U>>> => {
  const byAnchor = new Map<number, Array<Run<U>>>()
  for (const run of runs) {
    const there = byAnchor.get(run.anchor)
    if (there === undefined) byAnchor.set(run.anchor, [run])
    else there.push(run)
  }
  return byAnchor
}

const runsPerSlice = 512

const looseByKey = function* <U>(
  runs: ReadonlyArray<Run<U>>,
  rules: UnitRules<U>,
): Sliced<ReadonlyMap<string, Array<U>>> {
  const byKey = new Map<string, Array<U>>()
  for (const [at, { loose }] of runs.entries()) {
    if (at % runsPerSlice === runsPerSlice - 1) yield
    const key = loose === null ? null : rules.uniteKey(loose)
    if (loose === null || key === null) continue
    const units = byKey.get(key)
    if (units === undefined) byKey.set(key, [loose])
    else units.push(loose)
  }
  return byKey
}

/** How many units satisfy the test, counted up to two. */
const countToTwo = <U>(units: ReadonlyArray<U>, test: (unit: U) => boolean): number => {
  let count = 0
  for (const unit of units) {
    if (test(unit)) count += 1
    if (count > 1) break
  }
  return count
}

const unitsPerSlice = 1024
