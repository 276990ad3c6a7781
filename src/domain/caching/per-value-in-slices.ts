import type { Sliced } from '#src/domain/slicing/sliced.js'

/**
 * `perValue` for a function whose work yields. Callers who ask for the same key at once share one run: each advances
 * it in its own turns, so it also ends when some of them stop asking. A run that throws fails the caller whose turn
 * it was, and the next turn of another caller begins a new run.
 */
export const perValueInSlices = <K extends object, V>(
  build: (key: K) => Sliced<V>,
): ((key: K) => Sliced<V>) => {
  const made = new WeakMap<K, { readonly value: V }>()
  const running = new WeakMap<K, Sliced<V>>()
  const advance = (key: K): IteratorResult<unknown, V> => {
    const work = running.get(key) ?? build(key)
    running.set(key, work)
    try {
      return work.next()
    } catch (fault) {
      running.delete(key)
      throw fault
    }
  }
  return function* (key) {
    for (;;) {
      const known = made.get(key)
      if (known !== undefined) return known.value
      const slice = advance(key)
      if (slice.done === true) {
        running.delete(key)
        made.set(key, { value: slice.value })
        return slice.value
      }
      yield
    }
  }
}
