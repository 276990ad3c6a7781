import { type NameKey, nameKey } from '#protocol/atoms/name.js'

const apostrophes = /[’‘ʼ´`]/gu
const words = /[\p{L}\p{N}\p{M}]+(?:'[\p{L}\p{N}\p{M}]+)*/gu

/** A text in which every apostrophe is the same. */
export const withOneApostrophe = (text: string): string => text.replace(apostrophes, "'")

/** The key of a text for forms: as `nameKey`, and every apostrophe the same. */
export const formKey = (text: string): string => withOneApostrophe(nameKey(text))

const oneWord = /^\p{L}+$/u

/**
 * The words of a name: letters and digits, with apostrophes inside, whatever is between them. `Torek „Kruk” Zdrojek`
 * has three.
 */
export const splitName = (key: NameKey | string): ReadonlyArray<string> =>
  oneWord.test(key) ? [key] : (key.replace(apostrophes, "'").match(words) ?? [])
