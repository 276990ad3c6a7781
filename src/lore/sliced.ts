/** A piece of work that may rest at each `yield`, so that it does not hold up the loop. */
export type Sliced<A> = Generator<undefined, A, undefined>

/** The same at one go. */
export const atOnce = <A>(work: Sliced<A>): A => {
  for (;;) {
    const slice = work.next()
    if (slice.done === true) return slice.value
  }
}

/** The same with a breath at each rest. */
export const breathing = async <A>(work: Sliced<A>, breathe: () => Promise<void>): Promise<A> => {
  for (;;) {
    const slice = work.next()
    if (slice.done === true) return slice.value
    await breathe()
  }
}

/** Items done between two rests of a loop whose turns are short. */
const itemsPerSlice = 64

/** The items of a loop, with a rest after every few. */
export const restingOver = function* <A>(items: Iterable<A>, visit: (item: A) => void): Sliced<void> {
  let done = 0
  for (const item of items) {
    visit(item)
    done += 1
    if (done % itemsPerSlice === 0) yield
  }
}

/** What `change` makes of each item, with a rest after every few. */
export const mapInSlices = function* <A, B>(
  items: ReadonlyArray<A>,
  change: (item: A) => B,
): Sliced<ReadonlyArray<B>> {
  const changed: Array<B> = []
  yield* restingOver(items, item => changed.push(change(item)))
  return changed
}
