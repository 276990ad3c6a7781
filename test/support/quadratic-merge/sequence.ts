import type { Conflict, Side, Three } from '#src/domain/lore/merging/units.js'
import type { QuadraticPairing } from './alignment.js'

/** How one kind of unit (a block of a file, a row of a block, a line of a ledger) is merged. */
export interface QuadraticUnitRules<U> {
  readonly pairs: (base: ReadonlyArray<U>, side: ReadonlyArray<U>) => QuadraticPairing
  readonly isSame: (one: U, other: U) => boolean
  /** The merge of a unit that both sides still have. */
  readonly join: (units: Three<U>, conflicts: Array<Conflict>) => U
  /** The conflict for a unit that one side changed and the other removed. */
  readonly removed: (changed: U) => Conflict
  /** The merge of two added units that are the same thing. Null: both stay. */
  readonly unite: (ours: U, theirs: U) => U | null
  /** The conflict of two added units that exclude each other. Null: both stay. */
  readonly clash: (ours: U, theirs: U) => Conflict | null
  /** Whether an added unit stays together with the added ones before it, as lines of prose do. */
  readonly sticks: (unit: U, run: ReadonlyArray<U>) => boolean
  /** Whether an added unit is the same wherever it is, as a row is and a line of prose is not. */
  readonly isLoose: (unit: U) => boolean
  /**
   * The order of what both sides added at one place: depends only on content, so that every host computes the
   * same.
   */
  readonly compare: (one: U, other: U) => number
}

/** Units added next to each other that stay together, and the base unit before them. */
interface Run<U> {
  readonly anchor: number
  readonly units: ReadonlyArray<U>
}

const inverse = (pairing: QuadraticPairing): ReadonlyMap<number, number> =>
  new Map(pairing.flatMap((partner, place) => (partner < 0 ? [] : [[partner, place] as const])))

const findAddedRuns = <U>(
  side: ReadonlyArray<U>,
  pairing: QuadraticPairing,
  rules: QuadraticUnitRules<U>,
): ReadonlyArray<Run<U>> => {
  const partners = inverse(pairing)
  const runs: Array<{ readonly anchor: number; readonly units: Array<U> }> = []
  let anchor = -1
  side.forEach((unit, place) => {
    const partner = partners.get(place)
    const last = runs.at(-1)
    const before = side[place - 1]
    const follows = last !== undefined && last.units.at(-1) === before && before !== undefined
    if (partner !== undefined) anchor = partner
    else if (follows && rules.sticks(unit, last.units)) last.units.push(unit)
    else runs.push({ anchor, units: [unit] })
  })
  return runs
}

/**
 * The base units in the order of a side; what it removed stays after its predecessor. Null: the order of the
 * base.
 */
const orderOfSide = (pairing: QuadraticPairing): ReadonlyArray<number> | null => {
  const kept = pairing.flatMap((partner, place) => (partner < 0 ? [] : [{ partner, place }]))
  const sorted = [...kept].sort((one, other) => one.partner - other.partner)
  if (sorted.every((one, at) => one === kept[at])) return null
  const order = sorted.map(one => one.place)
  pairing.forEach((partner, place) => {
    if (partner < 0) order.splice(order.indexOf(place - 1) + 1, 0, place)
  })
  return order
}

const orderOf = (count: number, ours: QuadraticPairing, theirs: QuadraticPairing): ReadonlyArray<number> => {
  const [mine, other] = [orderOfSide(ours), orderOfSide(theirs)]
  const plain = Array.from({ length: count }, (_, place) => place)
  if (mine === null) return other ?? plain
  return other === null || other.join() === mine.join() ? mine : plain
}

const covers = <U>(long: Run<U>, short: Run<U>, isSame: QuadraticUnitRules<U>['isSame']): boolean =>
  long.units.some((_, from) =>
    short.units.every((unit, at) => {
      const there = long.units[from + at]
      return there !== undefined && isSame(there, unit)
    }),
  )

const isEqual = <U>(one: Run<U>, other: Run<U>, isSame: QuadraticUnitRules<U>['isSame']): boolean =>
  one.units.length === other.units.length && covers(one, other, isSame)

interface Additions<U> {
  readonly ours: ReadonlyArray<Run<U>>
  readonly theirs: ReadonlyArray<Run<U>>
}

const without = <U>(runs: ReadonlyArray<Run<U>>, run: Run<U>): ReadonlyArray<Run<U>> =>
  runs.filter(one => one !== run)

/** Which of two meeting additions is dropped, and what replaces the other one. */
interface Meeting<U> {
  readonly dropped: Side | null
  readonly united: U | null
}

/**
 * Resolves what both sides added: of two that are equal or exclude each other one stays, or one made of both.
 */
const settleAdditions = <U>(
  additions: Additions<U>,
  place: (anchor: number) => number,
  rules: QuadraticUnitRules<U>,
  stands: Side,
  conflicts: Array<Conflict>,
): Additions<U> => {
  const loose = ({ units: [unit, second] }: Run<U>): U | null =>
    unit !== undefined && second === undefined && rules.isLoose(unit) ? unit : null
  const isShared = (runs: ReadonlyArray<Run<U>>, unit: U): boolean =>
    runs.some(run => run.units.some(other => rules.isSame(other, unit)))
  const canUnite = (one: Run<U>, other: Run<U>): boolean => {
    const [mine, two] = [loose(one), loose(other)]
    return mine !== null && two !== null && rules.unite(mine, two) !== null
  }
  const isLone = (one: U, two: U): boolean =>
    additions.ours.filter(run => canUnite(run, { anchor: 0, units: [two] })).length === 1 &&
    additions.theirs.filter(run => canUnite({ anchor: 0, units: [one] }, run)).length === 1
  const meet = (mine: Run<U>, other: Run<U>): Meeting<U> | null => {
    const [one, two] = [loose(mine), loose(other)]
    if (one === null || two === null) {
      if (mine.anchor !== other.anchor || isEqual(mine, other, rules.isSame)) return null
      if (covers(mine, other, rules.isSame)) return { dropped: 'theirs', united: null }
      return covers(other, mine, rules.isSame) ? { dropped: 'ours', united: null } : null
    }
    const order = place(mine.anchor) - place(other.anchor)
    const dropped = order <= 0 ? 'theirs' : 'ours'
    if (rules.isSame(one, two)) return order === 0 ? null : { dropped, united: null }
    if (isShared(additions.theirs, one) || isShared(additions.ours, two)) return null
    const united = isLone(one, two) ? rules.unite(one, two) : null
    if (united !== null) return { dropped: order === 0 ? null : dropped, united }
    const clash = rules.clash(one, two)
    if (clash === null) return null
    conflicts.push(clash)
    return { dropped: stands === 'ours' ? 'theirs' : 'ours', united: null }
  }
  let { ours, theirs } = additions
  for (const mine of additions.ours)
    for (const other of theirs) {
      const met = meet(mine, other)
      if (met === null) continue
      const { united } = met
      const kept = (runs: ReadonlyArray<Run<U>>, run: Run<U>): ReadonlyArray<Run<U>> =>
        united === null ? runs : runs.map(at => (at === run ? { anchor: at.anchor, units: [united] } : at))
      ours = met.dropped === 'ours' ? without(ours, mine) : kept(ours, mine)
      theirs = met.dropped === 'theirs' ? without(theirs, other) : kept(theirs, other)
      if (met.dropped === 'ours' || united !== null) break
    }
  return { ours, theirs }
}

const compareRuns = <U>(one: Run<U>, other: Run<U>, compare: QuadraticUnitRules<U>['compare']): number => {
  for (const [at, unit] of one.units.entries()) {
    const there = other.units[at]
    const order = there === undefined ? 1 : compare(unit, there)
    if (order !== 0) return order
  }
  return one.units.length - other.units.length
}

/**
 * Merges both lists into one, each in its own order, with common runs once. Of the next two, the one that the
 * other list does not contain later comes first, otherwise the smaller.
 */
const zipRuns = <U>(
  ours: ReadonlyArray<Run<U>>,
  theirs: ReadonlyArray<Run<U>>,
  { compare, isSame }: QuadraticUnitRules<U>,
): ReadonlyArray<U> => {
  const runs: Array<Run<U>> = []
  const [mine, others] = [[...ours], [...theirs]]
  const partner = (run: Run<U>, list: ReadonlyArray<Run<U>>): number =>
    list.findIndex(other => isEqual(other, run, isSame))
  for (let [one, two] = [mine[0], others[0]]; one !== undefined && two !== undefined; ) {
    const [oneThere, twoThere] = [partner(one, others), partner(two, mine)]
    const waits = Number(oneThere >= 0) - Number(twoThere >= 0)
    const oneFirst = waits === 0 ? compareRuns(one, two, compare) <= 0 : waits < 0
    const taken = oneFirst ? mine.shift() : others.shift()
    if (taken !== undefined) runs.push(taken)
    const double = oneFirst ? oneThere : twoThere
    if (double >= 0) (oneFirst ? others : mine).splice(double, 1)
    ;[one, two] = [mine[0], others[0]]
  }
  return [...runs, ...mine, ...others].flatMap(run => run.units)
}

/**
 * Merges three lists of units. Keeps what neither side changed, applies what one changed or removed, and puts
 * what either added after the unit it was added after. Swapping the sides and `stands` gives the same list.
 * Nothing that a side added is lost except what `conflicts` names; `stands` decides which of those is kept.
 */
export const mergeSequenceQuadratically = <U>(
  { base, ours, theirs }: Three<ReadonlyArray<U>>,
  rules: QuadraticUnitRules<U>,
  stands: Side,
  conflicts: Array<Conflict>,
): ReadonlyArray<U> => {
  const [toOurs, toTheirs] = [rules.pairs(base, ours), rules.pairs(base, theirs)]
  const survivor = (unit: U, place: number): U | null => {
    const [mine, other] = [ours[toOurs[place] ?? -1], theirs[toTheirs[place] ?? -1]]
    if (mine !== undefined && other !== undefined)
      return rules.join({ base: unit, ours: mine, theirs: other }, conflicts)
    const kept = mine ?? other
    if (kept === undefined || rules.isSame(kept, unit)) return null
    conflicts.push(rules.removed(kept))
    return (stands === 'ours' ? mine : other) ?? null
  }
  const survivors = base.map(survivor)
  const order = orderOf(base.length, toOurs, toTheirs)
  const places = new Map(order.map((anchor, place) => [anchor, place]))
  const added = settleAdditions(
    { ours: findAddedRuns(ours, toOurs, rules), theirs: findAddedRuns(theirs, toTheirs, rules) },
    anchor => places.get(anchor) ?? -1,
    rules,
    stands,
    conflicts,
  )
  return [-1, ...order].flatMap(anchor => {
    const at = (runs: ReadonlyArray<Run<U>>): ReadonlyArray<Run<U>> =>
      runs.filter(run => run.anchor === anchor)
    const unit = survivors[anchor]
    const behind = zipRuns(at(added.ours), at(added.theirs), rules)
    return unit === undefined || unit === null ? behind : [unit, ...behind]
  })
}
