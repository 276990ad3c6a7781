import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import { inflectWord } from '#src/domain/polish/inflect.js'

/** The letters of a key without Polish marks. */
const bare = (text: string): string => text.replaceAll('ł', 'l').normalize('NFD').replace(/\p{M}/gu, '')

/** The words of a key: runs of letters and digits, with an apostrophe inside. */
export const wordsOfKey = (key: string): ReadonlyArray<string> =>
  key.match(/[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}'’]*[\p{L}\p{M}\p{N}])?/gu) ?? []

/** The texts that may be forms of one name. */
export interface PossibleForms {
  /** Every form of every word of the name, without Polish marks: what such a text begins with. */
  readonly starts: ReadonlySet<string>
  /**
   * Whether a key may be a form of the name: each of its words is a form of the next word of the name, from any
   * word of it on. So a part of the name counts, and words of different cases too: more than the resolver takes.
   */
  readonly has: (key: NameKey) => boolean
}

/** The texts that may be forms of a name, whether or not a block has it. */
export const possibleForms = (name: string): PossibleForms => {
  const forms = wordsOfKey(nameKey(name)).map(
    word => new Set([word, ...inflectWord(word).map(one => one.form)].map(bare)),
  )
  const has = (key: NameKey): boolean => {
    const words = wordsOfKey(key).map(bare)
    return (
      words.length > 0 &&
      forms.some((_, from) => words.every((word, at) => forms[from + at]?.has(word) === true))
    )
  }
  return { starts: new Set(forms.flatMap(one => [...one])), has }
}

/** The first word of a key as `PossibleForms.starts` has it; null where the key has no word. */
export const startOfKey = (key: NameKey): string | null => {
  const [first] = wordsOfKey(key)
  return first === undefined ? null : bare(first)
}
