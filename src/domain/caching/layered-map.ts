/** Changes of a map by key: the new value, or null to remove the key. */
export type Changes<K, V> = ReadonlyMap<K, V | null>

/**
 * A map that shares a large base and differs from it in a few keys, so that a commit costs only what it
 * changed. It iterates in the order of the base, then of the changes; a caller that needs an order must sort.
 */
export interface LayeredMap<K, V> extends ReadonlyMap<K, V> {
  readonly base: ReadonlyMap<K, V>
  readonly changes: Changes<K, V>
}

/** Number of changes kept beside a base before both are merged. A look-up reads two maps at most. */
const changesMax = 2000

const entriesOf = function* <K, V>(base: ReadonlyMap<K, V>, changes: Changes<K, V>): MapIterator<[K, V]> {
  for (const [key, value] of base) {
    const changed = changes.get(key)
    if (changed === undefined) yield [key, value]
    else if (changed !== null) yield [key, changed]
  }
  for (const [key, value] of changes) if (value !== null && !base.has(key)) yield [key, value]
}

const keysOf = function* <K, V>(base: ReadonlyMap<K, V>, changes: Changes<K, V>): MapIterator<K> {
  for (const [key] of entriesOf(base, changes)) yield key
}

const valuesOf = function* <K, V>(base: ReadonlyMap<K, V>, changes: Changes<K, V>): MapIterator<V> {
  for (const [, value] of entriesOf(base, changes)) yield value
}

const mapOf = <K, V>(base: ReadonlyMap<K, V>, changes: Changes<K, V>): LayeredMap<K, V> => {
  let size = base.size
  for (const [key, value] of changes) size += Number(value !== null) - Number(base.has(key))
  const entries = (): MapIterator<[K, V]> => entriesOf(base, changes)
  const made: LayeredMap<K, V> = {
    base,
    changes,
    size,
    get:
      changes.size === 0
        ? key => base.get(key)
        : key => {
            const changed = changes.get(key)
            return changed === undefined ? base.get(key) : (changed ?? undefined)
          },
    has: key => {
      const changed = changes.get(key)
      return changed === undefined ? base.has(key) : changed !== null
    },
    entries,
    keys: () => keysOf(base, changes),
    values: () => valuesOf(base, changes),
    forEach: visit => {
      for (const [key, value] of entries()) visit(value, key, made)
    },
    [Symbol.iterator]: entries,
  }
  return made
}

/** `changeMap` for a map that may have no layers yet, and values that are only added. */
export const growMap = <K, V>(before: ReadonlyMap<K, V>, added: ReadonlyMap<K, V>): ReadonlyMap<K, V> =>
  changeMap(isLayered(before) ? before : layeredMapOf(before), added)

const isLayered = <K, V>(map: ReadonlyMap<K, V>): map is LayeredMap<K, V> => 'changes' in map

const mergeChanges = <K, V>(base: ReadonlyMap<K, V>, changes: Changes<K, V>): ReadonlyMap<K, V> => {
  const all = new Map<K, V>(base)
  for (const [key, value] of changes)
    if (value === null) all.delete(key)
    else all.set(key, value)
  return all
}

/** A map without changes. */
export const layeredMapOf = <K, V>(base: ReadonlyMap<K, V>): LayeredMap<K, V> =>
  mapOf(base, new Map<K, V | null>())

/** The map after the changes; the same map when there are none. */
export const changeMap = <K, V>(before: LayeredMap<K, V>, changes: Changes<K, V>): LayeredMap<K, V> => {
  if (changes.size === 0) return before
  const all = new Map(before.changes)
  for (const [key, value] of changes) all.set(key, value)
  return all.size <= changesMax ? mapOf(before.base, all) : layeredMapOf(mergeChanges(before.base, all))
}
