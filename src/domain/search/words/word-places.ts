/** Classes of characters, as bits: a word begins with a letter or a number and goes on with marks too. */
const letter = 1
const number = 2
const mark = 4

const classOfText = (char: string): number => {
  if (/\p{L}/u.test(char)) return letter
  if (/\p{N}/u.test(char)) return number
  return /\p{M}/u.test(char) ? mark : 0
}

/** Latin with its diacritics; the classes of other characters are looked up one by one. */
const latinMax = 0x250
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

/** The first place from `from` on at which a word starts; the length of the text where none does. */
export const findWordStart = (text: string, from: number): number => {
  let at = from
  while (at < text.length && (classAt(text, at) & (letter | number)) === 0) at += widthAt(text, at)
  return Math.min(at, text.length)
}

const skipClasses = (text: string, from: number, classes: number): number => {
  let at = from
  while (at < text.length && (classAt(text, at) & classes) !== 0) at += widthAt(text, at)
  return at
}

/** The end of the word that starts at `start`, exclusive: an apostrophe may be inside, before letters. */
export const findWordEnd = (text: string, start: number): number => {
  const end = skipClasses(text, start, letter | number | mark)
  if (!isApostrophe(text.charCodeAt(end))) return end
  const after = skipClasses(text, end + 1, letter)
  return after > end + 1 ? after : end
}
