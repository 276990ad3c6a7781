import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { UnitRules } from '../unit-rules.js'
import type { Run } from './runs.js'

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
export const zipRuns = function* <U>(
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
