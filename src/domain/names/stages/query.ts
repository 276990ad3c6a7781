import { type NameKey, nameCharsMax, nameKey } from '#protocol/atoms.js'
import { splitName } from '../forms/name-words.js'
import type { NameIndex, ResolveOptions } from '../resolution.js'
import { noOwnedForms, type OwnedForms, readOwnedForms, readOwnWord } from './readings.js'

/** The input of a stage. What several stages need is computed once, by the first that asks. */
export interface NameAsked {
  readonly text: string
  readonly key: NameKey
  readonly options: ResolveOptions
  readonly tokens: () => ReadonlyArray<string>
  /** The readings as forms of whole names; none where the index has no forms. */
  readonly forms: () => OwnedForms
  /** The readings as a form of a word that one block alone has in its names. */
  readonly ownWord: () => OwnedForms
  /** `odmiany.tsv` takes the text from the blocks that it would mean; no later stage gives it to another one. */
  readonly isRemoved: () => boolean
  readonly keyOf: (text: string) => NameKey
}

const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | null = null
  return () => (made ??= { value: make() }).value
}

export const makeQuery = (names: NameIndex, text: string, options: ResolveOptions): NameAsked => {
  const key = nameKey(text)
  // Only a heading or alias of the same length could match a longer text.
  const tokens = once(() => (key.length > nameCharsMax ? [] : splitName(key)))
  const forms = once(() =>
    names.forms === null ? noOwnedForms : readOwnedForms(names, names.forms, tokens(), options),
  )
  const ownWord = once(() =>
    names.forms === null ? noOwnedForms : readOwnWord(names, names.forms, tokens(), options),
  )
  const isRemoved = (): boolean => forms().isRemoved || ownWord().isRemoved
  return { text, key, options, tokens, forms, ownWord, isRemoved, keyOf: nameKey }
}
