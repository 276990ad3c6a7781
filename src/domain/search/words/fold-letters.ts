import { dropLongMarks } from '#protocol/atoms.js'
import { foldDiacritics } from '#src/domain/polish/fold.js'

/** A lower-case word without the Polish diacritics and every other mark on its letters. */
export const foldLetters = (word: string): string => {
  const folded = foldDiacritics(word)
  return /^\p{ASCII}*$/u.test(folded)
    ? folded
    : dropLongMarks(folded)
        .normalize('NFD')
        .replace(/\p{M}+/gu, '')
}

const latinMax = 0x250

const foldChar = (char: string): string => foldLetters(char.toLowerCase().normalize('NFC')).charAt(0)

/** The first UTF-16 unit of a character in lower case without its marks: `z` of `Ż`. */
const foldCharAt = (text: string, at: number): string =>
  foldChar(String.fromCodePoint(text.codePointAt(at) ?? 0))

const foldedLatin = Array.from({ length: latinMax }, (_, code) => foldChar(String.fromCharCode(code)))

/** Says whether the character at a place of a text is one of `firsts`, in lower case and without its marks. */
export const startsWithAny = (firsts: ReadonlySet<string>): ((text: string, at: number) => boolean) => {
  const isFirst = Uint8Array.from(foldedLatin, char => (firsts.has(char) ? 1 : 0))
  return (text, at) => {
    const code = text.charCodeAt(at)
    return code < latinMax ? isFirst[code] === 1 : firsts.has(foldCharAt(text, at))
  }
}
