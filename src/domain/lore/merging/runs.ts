import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { Pairing } from './alignment.js'
import type { UnitRules } from './units.js'

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

const unitsPerSlice = 1024
