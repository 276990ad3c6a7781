import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { Conflict, Side, Three } from '../conflict.js'
import type { UnitRules } from '../unit-rules.js'
import { orderOf } from './base-order.js'
import { findAddedRuns, numberRuns, type Run, runsByAnchor } from './runs.js'
import { settleAdditions } from './settled-additions.js'
import { zipRuns } from './zipped.js'

const unitsPerSlice = 256

const noRuns: ReadonlyArray<never> = []

/**
 * Merges three lists of units. Keeps what both sides left alone, applies what one side changed or removed,
 * and keeps what either side added after the unit that it followed. Swapping the sides together with `stands`
 * gives the same list. No addition is lost except those in `conflicts`, where `stands` names the side that is
 * kept.
 */
export const mergeSequence = function* <U>(
  { base, ours, theirs }: Three<ReadonlyArray<U>>,
  rules: UnitRules<U>,
  stands: Side,
  conflicts: Array<Conflict>,
): Sliced<ReadonlyArray<U>> {
  // Lists are nested in blocks and in other lists: each yields once, however short it is.
  yield
  const toOurs = yield* rules.pairs(base, ours)
  const toTheirs = yield* rules.pairs(base, theirs)
  const survivors: Array<U | null> = []
  for (const [place, unit] of base.entries()) {
    if (place % unitsPerSlice === unitsPerSlice - 1) yield
    const [mine, other] = [ours[toOurs[place] ?? -1], theirs[toTheirs[place] ?? -1]]
    const kept = mine ?? other
    if (mine !== undefined && other !== undefined)
      survivors.push(yield* rules.join({ base: unit, ours: mine, theirs: other }, conflicts))
    else if (kept === undefined || rules.key(kept) === rules.key(unit)) survivors.push(null)
    else {
      conflicts.push(rules.removed(kept))
      survivors.push((stands === 'ours' ? mine : other) ?? null)
    }
  }
  const order = orderOf(
    { pairing: toOurs, length: ours.length },
    { pairing: toTheirs, length: theirs.length },
  )
  const places = new Map(order.map((anchor, place) => [anchor, place]))
  const numbers = numberRuns(rules)
  const added = yield* settleAdditions<U>(
    {
      ours: yield* findAddedRuns(ours, toOurs, rules, numbers),
      theirs: yield* findAddedRuns(theirs, toTheirs, rules, numbers),
    },
    { rules, numbers, place: anchor => places.get(anchor) ?? -1, stands, conflicts },
  )
  const [mine, others] = [runsByAnchor(added.ours), runsByAnchor(added.theirs)]
  const merged: Array<U> = []
  for (const [at, anchor] of [-1, ...order].entries()) {
    if (at % unitsPerSlice === unitsPerSlice - 1) yield
    const unit = survivors[anchor] ?? null
    if (unit !== null) merged.push(unit)
    const behind: ReadonlyArray<Run<U>> = yield* zipRuns(
      mine.get(anchor) ?? noRuns,
      others.get(anchor) ?? noRuns,
      rules,
    )
    for (const run of behind) for (const one of run.units) merged.push(one)
  }
  return merged
}
