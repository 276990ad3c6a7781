/** The most values that are cached, and the most characters of a text whose value is. */
export interface RecentLimits {
  readonly entriesMax: number
  readonly charsMax: number
}

/** A copy of a text: a slice would keep the whole text that it was cut from in memory. */
const copyOf = (text: string): string => Buffer.from(text).toString()

/**
 * Caches the values of a function for the latest texts; the value must depend on the text alone. Holds at
 * most `entriesMax` values in two halves: a text that is used again moves to the younger half, and the older
 * half is dropped when the younger one is full.
 */
export const cacheRecent = <A extends object | string>(
  make: (text: string) => A,
  { entriesMax, charsMax }: RecentLimits,
): ((text: string) => A) => {
  let younger = new Map<string, A>()
  let older = new Map<string, A>()
  const keep = (text: string, value: A): void => {
    if (younger.size >= entriesMax / 2) {
      older = younger
      younger = new Map()
    }
    younger.set(text, value)
  }
  return text => {
    const known = younger.get(text)
    if (known !== undefined) return known
    if (text.length > charsMax) return make(text)
    const copy = copyOf(text)
    // UTF-8 cannot encode a lone surrogate, so the copy of a text with one differs from it.
    if (copy !== text) return make(text)
    const value = older.get(copy) ?? make(copy)
    keep(copy, value)
    return value
  }
}
