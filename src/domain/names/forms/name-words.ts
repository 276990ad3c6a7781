import type { NameKey } from '#protocol/atoms.js'

const words = /[\p{L}\p{N}\p{M}]+(?:'[\p{L}\p{N}\p{M}]+)*/gu
const oneWord = /^\p{L}+$/u

/**
 * The words of the key of a name: letters and digits, with apostrophes inside, whatever is between them.
 * `torek „kruk” zdrojek` has three.
 */
export const splitName = (key: NameKey | string): ReadonlyArray<string> =>
  oneWord.test(key) ? [key] : (key.match(words) ?? [])
