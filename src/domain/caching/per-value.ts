import type { Day } from '#protocol/atoms.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'

/**
 * Caches the result of a pure function for as long as its argument lives. Derived indexes are so built once
 * per snapshot part, and a part that a commit did not change keeps its index.
 */
export const perValue = <K extends object, V>(build: (key: K) => V): ((key: K) => V) => {
  const made = new WeakMap<K, { readonly value: V }>()
  return key => {
    const known = made.get(key)
    if (known !== undefined) return known.value
    const value = build(key)
    made.set(key, { value })
    return value
  }
}

/**
 * Caches the value of an object for one day, the last requested one. One is enough: most requests are for
 * today, and callers can name any day.
 */
export const perDay = <K extends object, V>(build: (key: K, day: Day) => V): ((key: K, day: Day) => V) => {
  const made = new WeakMap<K, { readonly day: Day; readonly value: V }>()
  return (key, day) => {
    const known = made.get(key)
    if (known?.day === day) return known.value
    const value = build(key, day)
    made.set(key, { day, value })
    return value
  }
}

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

/**
 * A whole number with the form of its noun: „1 sesja”, „3 sesje”, „12 sesji”, „22 sesje”. 12 to 14 take the
 * third form like 112 to 114.
 */
export const formatCount = (count: number, [one, few, many]: CountedForms): string => {
  const [unit, teen] = [count % 10, Math.floor(count / 10) % 10 === 1]
  const form = count === 1 ? one : unit >= 2 && unit <= 4 && !teen ? few : many
  return `${count} ${form}`
}

/** The forms of a Polish noun: after 1, after 2 to 4, after 5 and more. */
type CountedForms = readonly [one: string, few: string, many: string]
