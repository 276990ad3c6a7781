import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { Run } from './runs.js'
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
