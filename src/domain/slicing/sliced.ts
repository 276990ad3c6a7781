/**
 * Work that pauses at each `yield`, so that the event loop can serve requests in between. It does nothing
 * until `atOnce`, `runWithPauses`, the scheduler or the `yield*` of other sliced work runs it. A `yield` with a
 * number says how many units of work were done (`units`): the same for the same input on every host, also where
 * this host had a part of the result already.
 */
export type Sliced<A> = Generator<number | undefined, A, undefined>

/** Units of work, about a microsecond each on a machine of two cores: what a request costs, by what it asks for. */
export const units = {
  /** A name that is looked up. */
  lookup: 30,
  /** A spelling that shares a part with a name, and what one that is near costs beyond that. */
  link: 0.2,
  nearSpelling: 5,
  /** A block that is compared with what is asked for. */
  candidate: 0.15,
  /** A row or an item that is rendered. */
  row: 10,
  /** A kibibyte of an answer, or of a text that a part is cut from. */
  kibibyte: 20,
} as const

/** Runs sliced work to its end without pausing. */
export const atOnce = <A>(work: Sliced<A>): A => {
  for (;;) {
    const slice = work.next()
    if (slice.done === true) return slice.value
  }
}

/** Runs sliced work and awaits `breathe` at each pause. */
export const runWithPauses = async <A>(work: Sliced<A>, breathe: () => Promise<void>): Promise<A> => {
  for (;;) {
    const slice = work.next()
    if (slice.done === true) return slice.value
    await breathe()
  }
}

/** Items between two pauses of a loop with short turns. */
const itemsPerSlice = 64

/** Visits each item, and yields after every `itemsPerSlice` of them. */
export const forEachInSlices = function* <A>(items: Iterable<A>, visit: (item: A) => void): Sliced<void> {
  let done = 0
  for (const item of items) {
    visit(item)
    done += 1
    if (done % itemsPerSlice === 0) yield
  }
}

/** `forEachInSlices` for visits that may yield themselves. */
export const forEachNestedInSlices = function* <A>(
  items: Iterable<A>,
  visit: (item: A) => Sliced<void>,
): Sliced<void> {
  let done = 0
  for (const item of items) {
    yield* visit(item)
    done += 1
    if (done % itemsPerSlice === 0) yield
  }
}

/** Maps each item, and yields after every `itemsPerSlice` of them. */
export const mapInSlices = function* <A, B>(
  items: Iterable<A>,
  change: (item: A) => B,
): Sliced<ReadonlyArray<B>> {
  const changed: Array<B> = []
  yield* forEachInSlices(items, item => changed.push(change(item)))
  return changed
}

type Order<A> = (left: A, right: A) => number

/**
 * Merges two lists that are sorted by `order` into a new one. It runs at once: it is not sliced work. Of
 * equal items those of `first` come first, and all are kept. No item may be undefined.
 */
export const mergeSorted = <A>(
  first: ReadonlyArray<A>,
  second: ReadonlyArray<A>,
  order: Order<A>,
): ReadonlyArray<A> => {
  const all: Array<A> = []
  let next = 0
  for (const item of first) {
    for (let one = second[next]; one !== undefined && order(one, item) < 0; one = second[next]) {
      all.push(one)
      next += 1
    }
    all.push(item)
  }
  for (const item of second.slice(next)) all.push(item)
  return all
}

/** How many items are sorted between two yields. */
const chunkLength = 1024

const mergeRuns = function* <A>(
  one: ReadonlyArray<A>,
  two: ReadonlyArray<A>,
  compare: (one: A, other: A) => number,
): Sliced<ReadonlyArray<A>> {
  const merged: Array<A> = []
  let at = 0
  for (const item of one) {
    for (let other = two[at]; other !== undefined && compare(item, other) > 0; other = two[at]) {
      merged.push(other)
      at += 1
      if (merged.length % chunkLength === 0) yield
    }
    merged.push(item)
    if (merged.length % chunkLength === 0) yield
  }
  for (const item of two.slice(at)) merged.push(item)
  return merged
}

/** A stable merge sort that yields between chunks; does not change `items`. */
export const sortInSlices = function* <A>(
  items: ReadonlyArray<A>,
  compare: (one: A, other: A) => number,
): Sliced<ReadonlyArray<A>> {
  let runs: Array<ReadonlyArray<A>> = []
  for (let at = 0; at < items.length; at += chunkLength) {
    runs.push(items.slice(at, at + chunkLength).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const merged: Array<ReadonlyArray<A>> = []
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* mergeRuns(runs[at] ?? [], runs[at + 1] ?? [], compare))
    runs = merged
  }
  return runs[0] ?? []
}
