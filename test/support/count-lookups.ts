import type { LayeredMap } from '#src/domain/caching/layered-map.js'
import type { NameIndex } from '#src/domain/names/spelling-table.js'

/** A copy of an index that counts its look-ups of owners. */
export const countLookups = (names: NameIndex) => {
  let count = 0
  const counted = <K, V>(map: LayeredMap<K, V>): LayeredMap<K, V> => {
    const get = (key: K): V | undefined => {
      count += 1
      return map.get(key)
    }
    const read = (target: object, field: string | symbol): unknown =>
      field === 'get' ? get : Reflect.get(target, field)
    return new Proxy<LayeredMap<K, V>>(map, { get: read })
  }
  const index = {
    ...names,
    exact: counted(names.exact),
    alias: counted(names.alias),
    generic: counted(names.generic),
  }
  return { index, count: () => count }
}
