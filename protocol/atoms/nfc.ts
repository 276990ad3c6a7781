/** More combining marks in a row than any text has (the stream-safe bound of Unicode is 30). */
const manyMarks = /\p{M}{31}/u

/**
 * The NFC form of a text. One with longer runs of combining marks than any writing has stays as it is: composing such a
 * run costs the square of its length.
 */
export const nfc = (text: string): string => (manyMarks.test(text) ? text : text.normalize('NFC'))
