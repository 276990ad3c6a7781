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
