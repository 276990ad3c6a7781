/** How many values are remembered, and of texts of at most how many characters. */
export interface RecentLimits {
  readonly entriesMax: number
  readonly charsMax: number
}

/** A text of its own: a slice keeps the whole text that it was cut from. */
const copyOf = (text: string): string => Buffer.from(text).toString()

/**
 * The same function, which remembers its values for the texts that came last: `make` must depend on the text alone. At
 * most `entriesMax` values are held, in two halves: a text that is asked for again moves into the younger half, and the
 * older half leaves when the younger one is full. A hit writes nothing but that.
 */
export const remember = <A extends object | string>(
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
    // UTF-8 has no half of a surrogate pair, so the copy of a text with one is another text.
    if (copy !== text) return make(text)
    const value = older.get(copy) ?? make(copy)
    keep(copy, value)
    return value
  }
}
