import type { Sliced } from '#src/domain/slicing/sliced.js'
import { multiSearch } from './multi-search.js'
import { type Run, runsByAnchor } from './runs.js'

/**
 * Which added runs contain which, among runs that both sides added after one base unit. Places are indexes
 * into the runs of `theirs`.
 */
export interface Covers {
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
export const findCovers = function* <U>(
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
