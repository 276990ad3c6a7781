import type { Sliced } from '#src/domain/slicing/sliced.js'

/**
 * `perValue` for a function whose work yields. Two callers who ask for the same at once both do the work, and
 * the later result is cached.
 */
export const perValueInSlices = <K extends object, V>(
  build: (key: K) => Sliced<V>,
): ((key: K) => Sliced<V>) => {
  const made = new WeakMap<K, { readonly value: V }>()
  return function* (key) {
    const known = made.get(key)
    if (known !== undefined) return known.value
    const value = yield* build(key)
    made.set(key, { value })
    return value
  }
}
