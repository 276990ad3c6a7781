import { foldDiacritics } from '#src/domain/polish/fold.js'

/** A lower-case word without the Polish diacritics and every other mark on its letters. */
export const foldLetters = (word: string): string => {
  const folded = foldDiacritics(word)
  return /^\p{ASCII}*$/u.test(folded) ? folded : folded.normalize('NFD').replace(/\p{M}+/gu, '')
}
