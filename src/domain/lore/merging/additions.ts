import type { Sliced } from '#src/domain/slicing/sliced.js'
import { multiSearch, orderOf } from './alignment.js'
import {
  findAddedRuns,
  numberRuns,
  planUnion,
  type Run,
  type RunNumbers,
  runsByAnchor,
  type Uniting,
} from './uniting.js'
import type { Conflict, Side, Three, UnitRules } from './units.js'

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

const unitsPerSlice = 256

const noRuns: ReadonlyArray<never> = []

/** The runs that each side added, in the order of that side. */
interface Additions<U> {
  readonly ours: ReadonlyArray<Run<U>>
  readonly theirs: ReadonlyArray<Run<U>>
}

/** What decides between the additions of both sides. */
interface Settling<U> {
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
const settleAdditions = function* <U>(
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

/**
 * The runs that the other side added, while ours are settled one by one. Some are taken out; some are
 * replaced by their merge with one of ours.
 */
interface OtherAdditions<U> {
  readonly at: (place: number) => Run<U> | undefined
  /** The index after the last of their runs with this anchor. */
  readonly endOf: (anchor: number) => number
  readonly takeOut: (place: number) => void
  /** Replaces their run by the merge of two runs; `keys` are the keys under which it is found from now on. */
  readonly replace: (place: number, run: Run<U>, keys: ReadonlyArray<string>) => void
  /** The given places that are not taken out. */
  readonly open: (places: ReadonlyArray<number>) => OpenPlaces
  /** The first open place at or after `from` whose run was replaced under this key; -1 when there is none. */
  readonly nextReplaced: (key: string, from: number) => number
  readonly hasReplaced: () => boolean
  readonly left: () => ReadonlyArray<Run<U>>
}

/** The runs that the other side added, none of them taken out or replaced yet. */
const makeOtherAdditions = <U>(theirs: ReadonlyArray<Run<U>>): OtherAdditions<U> => {
  const runs = [...theirs]
  const isOut = new Uint8Array(runs.length)
  const opened = new Map<ReadonlyArray<number>, OpenPlaces>()
  const replaced = new Map<string, Array<number>>()
  const ends = new Map(runs.map((run, place) => [run.anchor, place + 1]))
  return {
    at: place => runs[place],
    endOf: anchor => ends.get(anchor) ?? 0,
    takeOut: place => {
      isOut[place] = 1
    },
    replace: (place, run, keys) => {
      runs[place] = run
      for (const key of keys) {
        const places = replaced.get(key) ?? []
        if (places.length === 0) replaced.set(key, places)
        places.push(place)
        places.sort((one, other) => one - other)
      }
    },
    open: places => {
      const known = opened.get(places) ?? makeOpenPlaces(places, place => isOut[place] === 1)
      opened.set(places, known)
      return known
    },
    nextReplaced: (key, from) => replaced.get(key)?.find(place => place >= from && isOut[place] === 0) ?? -1,
    hasReplaced: () => replaced.size > 0,
    left: () => runs.filter((_, place) => isOut[place] === 0),
  }
}

const runsPerSlice = 1024

/** The places of the runs that have each key, ascending. */
const placesByKey = function* <U, K>(
  runs: ReadonlyArray<Run<U>>,
  keyOf: (unit: U, run: Run<U>) => K | null,
): Sliced<ReadonlyMap<K, ReadonlyArray<number>>> {
  const byKey = new Map<K, Array<number>>()
  for (const [place, run] of runs.entries()) {
    if (place % runsPerSlice === runsPerSlice - 1) yield
    const key = run.loose === null ? null : keyOf(run.loose, run)
    if (key === null) continue
    const places = byKey.get(key)
    if (places === undefined) byKey.set(key, [place])
    else places.push(place)
  }
  return byKey
}

/**
 * Which added runs contain which, among runs that both sides added after one base unit. Places are indexes
 * into the runs of `theirs`.
 */
interface Covers {
  /** By the id of one of our runs: their longer runs that contain it, ascending. */
  readonly longer: ReadonlyMap<number, ReadonlyArray<number>>
  /** By the id of one of our runs: the ids of their shorter runs that it contains. */
  readonly shorter: ReadonlyMap<number, ReadonlyArray<number>>
  /** The places of their runs by id, ascending. */
  readonly places: ReadonlyMap<number, ReadonlyArray<number>>
}

const none: Covers = { longer: new Map(), shorter: new Map(), places: new Map() }

const distinct = <U>(runs: ReadonlyArray<Run<U>>): ReadonlyArray<Run<U>> => [
  ...new Map(runs.map(run => [run.id, run])).values(),
]

const coveredRunsPerSlice = 256

/** Calls `visit` for each run of `outer` and each shorter run of `inner` that it contains. */
const visitContained = function* <U>(
  outer: ReadonlyArray<Run<U>>,
  inner: ReadonlyArray<Run<U>>,
  visit: (outer: Run<U>, inner: Run<U>) => void,
): Sliced<void> {
  const { search } = yield* multiSearch(inner.map(run => run.ids))
  for (const [at, run] of outer.entries()) {
    if (at % coveredRunsPerSlice === coveredRunsPerSlice - 1) yield
    if (isLong(run))
      search(run.ids, pattern => {
        const found = inner[pattern]
        if (found !== undefined && found.ids.length < run.ids.length) visit(run, found)
      })
  }
}

const add = (lists: Map<number, Array<number>>, key: number, value: number): void => {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

const isLong = <U>(run: Run<U>): boolean => run.ids.length > 1

const coversAt = function* <U>(
  ours: ReadonlyArray<Run<U>>,
  theirs: ReadonlyArray<Run<U>>,
  placeOf: (run: Run<U>) => number,
): Sliced<Covers> {
  if (!ours.some(isLong) && !theirs.some(isLong)) return none
  const [longer, shorter, places] = [
    new Map<number, Array<number>>(),
    new Map<number, Array<number>>(),
    new Map<number, Array<number>>(),
  ]
  yield* visitContained(theirs, distinct(ours), (their, our) => add(longer, our.id, placeOf(their)))
  yield* visitContained(distinct(ours), distinct(theirs), (our, their) => add(shorter, our.id, their.id))
  for (const run of theirs) add(places, run.id, placeOf(run))
  return { longer, shorter, places }
}

/** Finds, for each anchor, which added runs contain others. */
const findCovers = function* <U>(
  ours: ReadonlyArray<Run<U>>,
  theirs: ReadonlyArray<Run<U>>,
): Sliced<(anchor: number) => Covers> {
  if (!ours.some(isLong) && !theirs.some(isLong)) return () => none
  const placeOf = new Map(theirs.map((run, place) => [run, place]))
  const found = new Map<number, Covers>()
  const there = runsByAnchor(theirs)
  for (const [anchor, runs] of runsByAnchor(ours)) {
    const others = there.get(anchor)
    if (others === undefined) continue
    const covers = yield* coversAt(runs, others, run => placeOf.get(run) ?? -1)
    if (covers !== none) found.set(anchor, covers)
  }
  return anchor => found.get(anchor) ?? none
}

/** Ascending indexes of a list, some of which are taken out while a merge proceeds. */
interface OpenPlaces {
  /** The first place at or after `from` that is not taken out; -1 when there is none. Takes log n. */
  readonly next: (from: number) => number
}

/**
 * The places of `sorted` for which `isGone` is false. Once `isGone` returns true for a place it must stay
 * true.
 */
const makeOpenPlaces = (sorted: ReadonlyArray<number>, isGone: (place: number) => boolean): OpenPlaces => {
  // Each element points to the next place that may still be open, so that taken ones are skipped at once.
  const there = Int32Array.from({ length: sorted.length + 1 }, (_, at) => at)
  const find = (from: number): number => {
    let end = from
    while (end < sorted.length) {
      const further = there[end] ?? sorted.length
      if (further !== end) end = further
      else if (isGone(sorted[end] ?? -1)) {
        there[end] = end + 1
        end += 1
      } else break
    }
    for (let at = from; at < end; ) {
      const further = there[at] ?? end
      there[at] = end
      at = further
    }
    return end
  }
  return {
    next: from => {
      let [low, high] = [0, sorted.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((sorted[middle] ?? 0) < from) low = middle + 1
        else high = middle
      }
      return sorted[find(low)] ?? -1
    },
  }
}

const compareRuns = <U>(one: Run<U>, other: Run<U>, compare: UnitRules<U>['compare']): number => {
  for (const [at, unit] of one.units.entries()) {
    const there = other.units[at]
    const order = there === undefined ? 1 : compare(unit, there)
    if (order !== 0) return order
  }
  return one.units.length - other.units.length
}

/** A queue of runs. Runs leave from the front, or earlier when the other list has an equal run. */
interface Line<U> {
  readonly runs: ReadonlyArray<Run<U>>
  front: number
  readonly isTaken: Uint8Array
  /** Places of equal runs, and the index of the first one that is not used yet. */
  readonly byId: ReadonlyMap<number, { next: number; readonly places: Array<number> }>
}

const lineOf = <U>(runs: ReadonlyArray<Run<U>>): Line<U> => {
  const byId = new Map<number, { next: number; readonly places: Array<number> }>()
  runs.forEach(({ id }, place) => {
    const queue = byId.get(id)
    if (queue === undefined) byId.set(id, { next: 0, places: [place] })
    else queue.places.push(place)
  })
  return { runs, front: 0, isTaken: new Uint8Array(runs.length), byId }
}

/** The place of the first waiting run that is equal, or -1. */
const partnerIn = <U>({ byId, isTaken }: Line<U>, { id }: Run<U>): number => {
  const queue = byId.get(id)
  if (queue === undefined) return -1
  while (queue.next < queue.places.length && isTaken[queue.places[queue.next] ?? 0] === 1) queue.next += 1
  return queue.places[queue.next] ?? -1
}

const frontOf = <U>(line: Line<U>): Run<U> | undefined => {
  while (line.isTaken[line.front] === 1) line.front += 1
  return line.runs[line.front]
}

const zippedRunsPerSlice = 512

/**
 * Merges two lists into one: each keeps its order and equal runs appear once. Of the two next runs, the one
 * that has no equal run waiting in the other list comes first; otherwise the smaller one.
 */
const zipRuns = function* <U>(
  ours: ReadonlyArray<Run<U>>,
  theirs: ReadonlyArray<Run<U>>,
  { compare }: UnitRules<U>,
): Sliced<ReadonlyArray<Run<U>>> {
  if (ours.length === 0 || theirs.length === 0) return [...ours, ...theirs]
  const runs: Array<Run<U>> = []
  const [mine, others] = [lineOf(ours), lineOf(theirs)]
  for (
    let [one, two] = [frontOf(mine), frontOf(others)];
    one !== undefined && two !== undefined;
    [one, two] = [frontOf(mine), frontOf(others)]
  ) {
    const [oneThere, twoThere] = [partnerIn(others, one), partnerIn(mine, two)]
    const waits = Number(oneThere >= 0) - Number(twoThere >= 0)
    const isOneFirst = waits === 0 ? compareRuns(one, two, compare) <= 0 : waits < 0
    const [from, other] = isOneFirst ? [mine, others] : [others, mine]
    runs.push(isOneFirst ? one : two)
    from.isTaken[from.front] = 1
    const double = isOneFirst ? oneThere : twoThere
    if (double >= 0) other.isTaken[double] = 1
    if (runs.length % zippedRunsPerSlice === 0) yield
  }
  for (const line of [mine, others])
    for (const [place, run] of line.runs.entries()) if (line.isTaken[place] === 0) runs.push(run)
  return runs
}
