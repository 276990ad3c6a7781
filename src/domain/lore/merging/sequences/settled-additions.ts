import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { Conflict, Side } from '../conflict.js'
import type { UnitRules } from '../unit-rules.js'
import { planUnion, type Uniting } from '../uniting.js'
import { type Covers, findCovers } from './covers.js'
import { makeOtherAdditions, type OtherAdditions, placesByKey } from './other-additions.js'
import type { Run, RunNumbers } from './runs.js'

/** The runs that each side added, in the order of that side. */
export interface Additions<U> {
  readonly ours: ReadonlyArray<Run<U>>
  readonly theirs: ReadonlyArray<Run<U>>
}

/** What decides between the additions of both sides. */
export interface Settling<U> {
  readonly rules: UnitRules<U>
  readonly numbers: RunNumbers<U>
  /** The position of a base unit in the merge; unique for each unit. */
  readonly place: (anchor: number) => number
  readonly stands: Side
  readonly conflicts: Array<Conflict>
}

/** Indexes of their runs, by which one of ours finds those that it may match. */
interface Meetings<U> extends Settling<U> {
  readonly others: OtherAdditions<U>
  readonly covers: (anchor: number) => Covers
  readonly uniting: Uniting<U>
  readonly inOurs: ReadonlySet<number>
  readonly inTheirs: ReadonlySet<number>
  readonly same: ReadonlyMap<number, ReadonlyArray<number>>
  readonly unite: ReadonlyMap<string, ReadonlyArray<number>>
  readonly clash: ReadonlyMap<string, ReadonlyArray<number>>
}

const stepsPerSlice = 128

const nothing: ReadonlyArray<number> = []

/** The place of their first run that is longer than ours and contains it; infinity when there is none. */
const firstLonger = <U>({ covers, others }: Meetings<U>, mine: Run<U>): number => {
  const longer = covers(mine.anchor).longer.get(mine.id)
  const place = longer === undefined ? -1 : others.open(longer).next(0)
  return place < 0 ? Number.POSITIVE_INFINITY : place
}

/**
 * Settles a run whose position matters: takes out their runs that it contains, or returns null when one of
 * theirs contains it.
 */
const settleRun = function* <U>(meetings: Meetings<U>, mine: Run<U>): Sliced<Run<U> | null> {
  const { covers, others } = meetings
  const { shorter, places } = covers(mine.anchor)
  const limit = firstLonger(meetings, mine)
  let steps = 0
  for (const content of shorter.get(mine.id) ?? []) {
    const open = others.open(places.get(content) ?? nothing)
    for (let place = open.next(0); place >= 0 && place < limit; place = open.next(place + 1)) {
      if (others.at(place)?.id === content) others.takeOut(place)
      steps += 1
      if (steps % stepsPerSlice === 0) yield
    }
  }
  if (others.hasReplaced() && mine.ids.length > 1)
    for (const id of new Set(mine.ids)) {
      const key = `held ${mine.anchor} ${id}`
      for (let place = others.nextReplaced(key, 0); place >= 0 && place < limit; ) {
        others.takeOut(place)
        place = others.nextReplaced(key, place + 1)
      }
    }
  return limit === Number.POSITIVE_INFINITY ? mine : null
}

/**
 * Returns a function that finds the next place of theirs that our unit may match; it returns -1 after the
 * last.
 */
const candidatesOf = <U>(meetings: Meetings<U>, mine: Run<U>, one: U): ((from: number) => number) => {
  const { others, rules, uniting, same, unite, clash, inTheirs } = meetings
  const id = mine.ids[0] ?? -1
  const isShared = inTheirs.has(id)
  const uniteKey = isShared ? null : uniting.keyOf(one)
  const clashKey = isShared ? null : rules.clashKey(one)
  const alike = others.open(same.get(id) ?? nothing)
  const nextAlike = (from: number): number => {
    const place = alike.next(from)
    // `zipped` pairs equal runs of one anchor later, so they are skipped here.
    return place >= 0 && others.at(place)?.anchor === mine.anchor
      ? alike.next(Math.max(from, others.endOf(mine.anchor)))
      : place
  }
  const sources = [nextAlike]
  if (uniteKey !== null) sources.push(others.open(unite.get(uniteKey) ?? nothing).next)
  if (clashKey !== null) sources.push(others.open(clash.get(clashKey) ?? nothing).next)
  if (others.hasReplaced()) {
    sources.push(from => others.nextReplaced(`same ${id}`, from))
    if (uniteKey !== null) sources.push(from => others.nextReplaced(`unite ${uniteKey}`, from))
    if (clashKey !== null) sources.push(from => others.nextReplaced(`clash ${clashKey}`, from))
  }
  return from =>
    sources.reduce((first, next) => {
      const place = next(from)
      return place >= 0 && (first < 0 || place < first) ? place : first
    }, -1)
}

/**
 * Merges two added units. The merge replaces the earlier one, or both when they were added at one place; null
 * when it replaces theirs alone.
 */
const uniteRuns = function* <U>(
  { rules, numbers, others, place, uniting, conflicts }: Meetings<U>,
  mine: Run<U>,
  at: number,
  one: U,
  two: U,
): Sliced<Run<U> | null> {
  const united = yield* rules.unite(one, two, conflicts)
  const id = numbers.unitId(united)
  const anchor = others.at(at)?.anchor ?? -1
  const order = place(mine.anchor) - place(anchor)
  if (order < 0) others.takeOut(at)
  else {
    const [uniteKey, clashKey] = [uniting.keyOf(united), rules.clashKey(united)]
    const keys = [`same ${id}`, `held ${anchor} ${id}`]
    if (uniteKey !== null) keys.push(`unite ${uniteKey}`)
    if (clashKey !== null) keys.push(`clash ${clashKey}`)
    others.replace(at, numbers.run(anchor, [united], [id]), keys)
  }
  return order > 0 ? null : numbers.run(mine.anchor, [united], [id])
}

/**
 * Settles a unit that is the same wherever it is placed against each of their units that it matches, in their
 * order.
 */
const settleLoose = function* <U>(meetings: Meetings<U>, mine: Run<U>, one: U): Sliced<Run<U> | null> {
  const { others, rules, place, uniting, inOurs, inTheirs, stands, conflicts } = meetings
  const next = candidatesOf(meetings, mine, one)
  const id = mine.ids[0] ?? -1
  const limit = firstLonger(meetings, mine)
  let steps = 0
  for (let at = next(0); at >= 0 && at < limit; at = next(at + 1)) {
    steps += 1
    if (steps % stepsPerSlice === 0) yield
    const other = others.at(at)
    const two = other?.loose ?? null
    if (other === undefined || two === null) continue
    if (other.ids[0] === id) {
      const order = place(mine.anchor) - place(other.anchor)
      if (order > 0) return null
      if (order < 0) others.takeOut(at)
      continue
    }
    if (inTheirs.has(id) || inOurs.has(other.ids[0] ?? -1)) continue
    if (uniting.isLonePair(one, two)) return yield* uniteRuns(meetings, mine, at, one, two)
    const clashKey = rules.clashKey(one)
    if (clashKey === null || clashKey !== rules.clashKey(two)) continue
    const clash = rules.clash(one, two)
    if (clash === null) continue
    conflicts.push(clash)
    if (stands === 'theirs') return null
    others.takeOut(at)
  }
  return limit === Number.POSITIVE_INFINITY ? mine : null
}

const idsIn = function* <U>(runs: ReadonlyArray<Run<U>>): Sliced<ReadonlySet<number>> {
  const ids = new Set<number>()
  for (const [at, run] of runs.entries()) {
    if (at % 1024 === 1023) yield
    for (const id of run.ids) ids.add(id)
  }
  return ids
}

/**
 * Settles the additions of both sides: of two units that are equal or exclude each other it keeps one, and
 * two that can be merged become one. Units that may match are found by key, so the work grows with their
 * number (n log n).
 */
export const settleAdditions = function* <U>(
  { ours, theirs }: Additions<U>,
  settling: Settling<U>,
): Sliced<Additions<U>> {
  if (ours.length === 0 || theirs.length === 0) return { ours, theirs }
  const { rules } = settling
  const others = makeOtherAdditions(theirs)
  const inOurs = yield* idsIn(ours)
  const uniting = yield* planUnion(ours, theirs, rules)
  const meetings: Meetings<U> = {
    ...settling,
    others,
    uniting,
    covers: yield* findCovers(ours, theirs),
    inOurs,
    inTheirs: yield* idsIn(theirs),
    same: yield* placesByKey(theirs, (_, run) => run.ids[0] ?? null),
    unite: yield* placesByKey(theirs, unit => uniting.keyOf(unit)),
    clash: yield* placesByKey(theirs, (unit, run) =>
      inOurs.has(run.ids[0] ?? -1) ? null : rules.clashKey(unit),
    ),
  }
  const kept: Array<Run<U>> = []
  for (const [at, mine] of ours.entries()) {
    if (at % stepsPerSlice === stepsPerSlice - 1) yield
    const run =
      mine.loose === null ? yield* settleRun(meetings, mine) : yield* settleLoose(meetings, mine, mine.loose)
    if (run !== null) kept.push(run)
  }
  return { ours: kept, theirs: others.left() }
}
