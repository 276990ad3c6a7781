import type { Sliced } from '#src/domain/slicing/sliced.js'
import { makeOpenPlaces, type OpenPlaces } from './places.js'
import type { Run } from './runs.js'

/**
 * The runs that the other side added, while ours are settled one by one. Some are taken out; some are
 * replaced by their merge with one of ours.
 */
export interface OtherAdditions<U> {
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
export const makeOtherAdditions = <U>(theirs: ReadonlyArray<Run<U>>): OtherAdditions<U> => {
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
export const placesByKey = function* <U, K>(
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
