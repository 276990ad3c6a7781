import { nfc } from '#protocol/atoms.js'
import { bounds } from '#protocol/bounds.js'
import { splitRange } from '../rows/range.js'
import { splitAutoMark } from '../rows/rows.js'
import { escapeComments, linesOf } from './lines.js'

/** The longest value of a row that a write accepts, in bytes of UTF-8. */
const valueBytesMax = bounds.valueBytes.limit

/** Characters that end a line, imitate a line end, or change the reading direction. */
const forging = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** Whether a value, as a writer writes it, shows as it is: nothing in it is hidden or cut off. */
const isShown = (text: string): boolean => {
  const [line] = linesOf(escapeComments(`- @x: ${text}`)).lines
  return line?._tag === 'Item' && line.text === `@x: ${text}`
}

/** What a reader of another encoding puts in place of characters that it lost. */
const replacement = '\ufffd'

const manyMarks = /\p{M}{31}/u

/** Whether a text ends like a range or like `(auto)`, so that the parser would cut that part off. */
export const endsAsMark = (text: string): boolean => {
  const { text: value, suspect } = splitRange(text)
  return value !== text || suspect || splitAutoMark(text).auto
}

/**
 * A value in the form that a row stores: NFC, without blanks around it. Keeps newlines at the ends, so that
 * `textFault` rejects them.
 */
export const valueText = (text: string): string =>
  nfc(text).replace(/^[ \t\u00a0]+|(?<![ \t\u00a0])[ \t\u00a0]+$/gu, '')

/** Why a text cannot be written because characters of it were lost; null when none was. */
export const lossFault = (text: string): string | null =>
  text.includes(replacement)
    ? 'has U+FFFD in place of characters that were lost; send the text again, read in its own encoding'
    : null

/** Why a text cannot be a value on one line; null when it can. */
export const textFault = (text: string): string | null => {
  if (text === '') return 'is empty'
  if (Buffer.byteLength(text) > valueBytesMax) return `is longer than ${valueBytesMax} bytes`
  if (forging.test(text)) return 'has a newline, a control character or a direction mark'
  if (text.trim() !== text) return 'begins or ends with a space'
  if (!isShown(text))
    return 'has a comment in a code span or after a backslash, or ends with a character that does not show'
  return manyMarks.test(text) ? 'has too many combining marks' : lossFault(text)
}

/** Why a text cannot be the value of a tag; null when it can. */
export const valueFault = (text: string): string | null => {
  const fault = textFault(text)
  if (fault !== null) return fault
  if (text.startsWith('@')) return 'begins with @, as a tag does'
  return endsAsMark(text) ? 'ends like a range (from:to) or (auto); send the days in `from` and `to`' : null
}
