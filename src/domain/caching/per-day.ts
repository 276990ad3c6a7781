import type { Day } from '#protocol/atoms.js'

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
