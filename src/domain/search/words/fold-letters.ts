import { foldDiacritics } from '#src/domain/polish/fold.js'

/** A lower-case word without the Polish diacritics and every other mark on its letters. */
export const foldLetters = (word: string): string => {
  const folded = foldDiacritics(word)
  return /^\p{ASCII}*$/u.test(folded) ? folded : folded.normalize('NFD').replace(/\p{M}+/gu, '')
}

const foldChar = (char: string): string => foldLetters(char.toLowerCase().normalize('NFC')).charAt(0)

const latin = Array.from({ length: 0x250 }, (_, code) => foldChar(String.fromCharCode(code)))

/** The first UTF-16 unit of the character at `at`, in lower case without its marks: `z` of `Ż`. */
export const foldCharAt = (text: string, at: number): string =>
  latin[text.charCodeAt(at)] ?? foldChar(String.fromCodePoint(text.codePointAt(at) ?? 0))
