/** More combining marks in a row than any writing has (the stream-safe limit of Unicode is 30). */
const manyMarks = /\p{M}{31}/u

/**
 * The NFC form of a text. A text with longer runs of combining marks than any writing stays as it is, because
 * composing such a run costs the square of its length.
 */
export const nfc = (text: string): string => (manyMarks.test(text) ? text : text.normalize('NFC'))

/**
 * The text without runs of more than 30 combining marks, which no writing has. What is left is composed and
 * decomposed in a time that grows with its length, not with the square of a run.
 */
export const dropLongMarks = (text: string): string =>
  manyMarks.test(text) ? text.replace(/\p{M}{31,}/gu, '') : text
