import { messageCharsMax } from '../chat/message-chars.js'

/** The form of a Polish noun after a number: 1 wiersz, 2 wiersze, 5 wierszy, 12 wierszy, 22 wiersze. */
export const countNoun = (count: number, one: string, few: string, many: string): string => {
  if (count === 1) return `${count} ${one}`
  const [tens, units] = [count % 100, count % 10]
  const isFew = units >= 2 && units <= 4 && (tens < 12 || tens > 14)
  return `${count} ${isFew ? few : many}`
}

const tailOf = (left: number): string =>
  left === 0 ? '' : `\n… i jeszcze ${countNoun(left, 'wiersz', 'wiersze', 'wierszy')}.`

/** At most this many characters of a text; a character outside the BMP is not split. */
const shortenText = (text: string, charsMax: number): string =>
  text.length <= charsMax ? text : `${text.slice(0, charsMax - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`

/**
 * Joins lines to a message of at most 2,000 characters. Where they do not fit, the message ends behind a line and
 * says how many are left out; a first line that does not fit by itself is shortened.
 */
export const fitMessage = (lines: ReadonlyArray<string>): string => {
  let [text, kept] = ['', 0]
  for (const [at, line] of lines.entries()) {
    const next = at === 0 ? line : `${text}\n${line}`
    if (next.length + tailOf(lines.length - at - 1).length > messageCharsMax) break
    text = next
    kept = at + 1
  }
  if (kept > 0) return `${text}${tailOf(lines.length - kept)}`
  const tail = tailOf(Math.max(0, lines.length - 1))
  return `${shortenText(lines[0] ?? '', messageCharsMax - tail.length)}${tail}`
}
