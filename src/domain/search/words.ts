import { dropLongMarks } from '#protocol/atoms.js'
import { foldDiacritics } from '#src/domain/polish/sounds.js'

/** A word of a text, in NFC and lower case, with its place in UTF-16 units. */
export interface Word {
  readonly text: string
  readonly start: number
  readonly end: number
  /** It begins with a capital letter and no sentence begins with it: a proper noun. */
  readonly isProper: boolean
}

/** The words of a text in its order: letters and digits, with an apostrophe inside; a hyphen separates. */
export const wordsOf = function* (text: string): Generator<Word, void> {
  let end = 0
  for (let start = findWordStart(text, 0); start < text.length; start = findWordStart(text, end)) {
    end = findWordEnd(text, start)
    const found = text.slice(start, end)
    const lower = found.toLowerCase()
    yield {
      text: dropLongMarks(lower).normalize('NFC'),
      start,
      end,
      isProper: lower !== found && !beginsSentence(text, start),
    }
  }
}

export const isStopWord = (word: string): boolean => stopWords.has(word)

/** A lower-case word without the Polish diacritics and every other mark on its letters. */
export const foldLetters = (word: string): string => {
  const folded = foldDiacritics(word)
  return /^\p{ASCII}*$/u.test(folded)
    ? folded
    : dropLongMarks(folded)
        .normalize('NFD')
        .replace(/\p{M}+/gu, '')
}

/** Says whether the character at a place of a text is one of `firsts`, in lower case and without its marks. */
export const startsWithAny = (firsts: ReadonlySet<string>): ((text: string, at: number) => boolean) => {
  const isFirst = Uint8Array.from(foldedLatin, char => (firsts.has(char) ? 1 : 0))
  return (text, at) => {
    const code = text.charCodeAt(at)
    return code < latinMax ? isFirst[code] === 1 : firsts.has(foldCharAt(text, at))
  }
}

/** The first place from `from` on at which a word starts; the length of the text where none does. */
export const findWordStart = (text: string, from: number): number => {
  let at = from
  while (at < text.length && (classAt(text, at) & (letter | number)) === 0) at += widthAt(text, at)
  return Math.min(at, text.length)
}

/** The end of the word that starts at `start`, exclusive: an apostrophe may be inside, before letters. */
export const findWordEnd = (text: string, start: number): number => {
  const end = skipClasses(text, start, letter | number | mark)
  if (!isApostrophe(text.charCodeAt(end))) return end
  const after = skipClasses(text, end + 1, letter)
  return after > end + 1 ? after : end
}

/** Whether a sentence, a line or a quotation begins at `start`. */
const beginsSentence = (text: string, start: number): boolean => {
  let at = start - 1
  while (at >= 0 && (text[at] === ' ' || text[at] === '\t')) at -= 1
  return at < 0 || !/[\p{L}\p{N},;)]/u.test(text[at] ?? '')
}

/** Words that nearly every text has. Neither an index nor a query has them. */
const stopWords: ReadonlySet<string> = new Set(
  (
    'a aby albo ale ani bez bo by być był była było były będzie co czy dla do gdy gdzie go i ich ile im ja jak ' +
    'jako je jego jej jemu jest jeszcze jeśli już każdy kiedy która które którego której którą który którzy lub ma ' +
    'mi mnie mu my na nad nam nas nie niego niej nich nim no o od on ona one oni ono oraz po pod poza przed przez ' +
    'przy są się swoje ta tak także tam te tego tej ten to tu ty tych tylko tym u w we wy z za ze że żeby'
  ).split(' '),
)

const latinMax = 0x250

const foldChar = (char: string): string => foldLetters(char.toLowerCase().normalize('NFC')).charAt(0)

/** The first UTF-16 unit of a character in lower case without its marks: `z` of `Ż`. */
const foldCharAt = (text: string, at: number): string =>
  foldChar(String.fromCodePoint(text.codePointAt(at) ?? 0))

const foldedLatin = Array.from({ length: latinMax }, (_, code) => foldChar(String.fromCharCode(code)))

/** Classes of characters, as bits: a word begins with a letter or a number and goes on with marks too. */
const letter = 1
const number = 2
const mark = 4

const classOfText = (char: string): number => {
  if (/\p{L}/u.test(char)) return letter
  if (/\p{N}/u.test(char)) return number
  return /\p{M}/u.test(char) ? mark : 0
}
const classesOfLatin = Uint8Array.from({ length: latinMax }, (_, code) =>
  classOfText(String.fromCharCode(code)),
)

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

const classAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  if (code < latinMax) return classesOfLatin[code] ?? 0
  return classOfText(String.fromCodePoint(text.codePointAt(at) ?? code))
}

/** The UTF-16 units of the character at `at`. Half of a pair alone is one unit. */
const widthAt = (text: string, at: number): number =>
  isHighSurrogate(text.charCodeAt(at)) && (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1

const isApostrophe = (code: number): boolean => code === 0x27 || code === 0x2019

const skipClasses = (text: string, from: number, classes: number): number => {
  let at = from
  while (at < text.length && (classAt(text, at) & classes) !== 0) at += widthAt(text, at)
  return at
}
