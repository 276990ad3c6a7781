import type { Day } from '#protocol/atoms/day.js'

/**
 * Remembers what was made of an object on a day, for the day asked for last alone: who asks may name any day, and most
 * ask for today.
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
