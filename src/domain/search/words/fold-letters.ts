/** Letters without their diacritics, so that a word typed without them has the same key. */
const plain: ReadonlyMap<string, string> = new Map(
  Array.from('ąćęłńóśźż', (letter, at) => [letter, 'acelnoszz'.charAt(at)]),
)

/** A lower-case word without the Polish diacritics and every other mark on its letters. */
export const foldLetters = (word: string): string => {
  let folded = ''
  for (const letter of word) folded += plain.get(letter) ?? letter
  return /^\p{ASCII}*$/u.test(folded) ? folded : folded.normalize('NFD').replace(/\p{M}+/gu, '')
}
