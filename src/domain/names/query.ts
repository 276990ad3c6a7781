import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import { wordsOf } from './name-words.js'
import { type OwnedReading, ownedReadings } from './readings.js'
import type { NameIndex, ResolveOptions } from './resolution.js'

/** The input of a stage. What several stages need is computed once, by the first that asks. */
export interface Query {
  readonly text: string
  readonly key: NameKey
  readonly options: ResolveOptions
  readonly tokens: () => ReadonlyArray<string>
  /** The readings as forms of whole names; empty where the index has no forms. */
  readonly readings: () => ReadonlyArray<OwnedReading>
  readonly keyOf: (text: string) => NameKey
}

const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | null = null
  return () => (made ??= { value: make() }).value
}

/** Longer texts are no name; only a heading or alias of the same length could match. */
const readCharsMax = 400

export const makeQuery = (names: NameIndex, text: string, options: ResolveOptions): Query => {
  const key = nameKey(text)
  const tokens = once(() => (key.length > readCharsMax ? [] : wordsOf(key)))
  const readings = once(() =>
    names.forms === null ? [] : ownedReadings(names, names.forms, tokens(), options),
  )
  return { text, key, options, tokens, readings, keyOf: nameKey }
}
