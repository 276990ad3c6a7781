import { type NameKey, nameKey } from '#protocol/atoms/name.js'

const apostrophes = /[’‘ʼ´`]/gu
const edges = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu
const gaps = /[\s\u00a0\-‐‑–—]+/u

/** The key of a text for forms: as `nameKey`, and every apostrophe the same. */
export const formKey = (text: string): string => nameKey(text).replace(apostrophes, "'")

const splitWords = (key: string): ReadonlyArray<string> =>
  key
    .replace(apostrophes, "'")
    .split(gaps)
    .map(word => word.replace(edges, ''))
    .filter(word => word !== '')

const oneWord = /^\p{L}+$/u

/**
 * The words of a name: separated by blanks and hyphens, without the punctuation around them. `Torek „Kruk” Zdrojek`
 * has three.
 */
export const wordsOf = (key: NameKey | string): ReadonlyArray<string> =>
  oneWord.test(key) ? [key] : splitWords(key)
