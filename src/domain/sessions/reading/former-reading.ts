import { type Line, lineOf } from '#src/domain/lore/lines/lines.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { Grammar } from './block-content.js'

/**
 * How files of sessions were read up to release 0.4.0, without comments, fences of tildes and indented headers, and
 * with another form of numbers. What was closed or settled under that reading is compared with it
 * (docs/spec/closed-sessions.md#two-readers); nothing else may use it.
 */

/** The lines of a text; only LF ends one. */
export const formerRawLines = (text: string): ReadonlyArray<string> => {
  if (text === '') return []
  const pieces = text.split('\n')
  if (pieces.at(-1) === '') pieces.pop()
  return pieces.map(piece => (piece.endsWith('\r') ? piece.slice(0, -1) : piece))
}

/** A header was a line whose first character is `#`, with everything behind the `#`s. */
const formerLine = (raw: string, number: number): Line => {
  const [, marks = '', title = ''] = /^(#+)(.*)$/su.exec(raw) ?? []
  if (title.trim() !== '') return { _tag: 'Header', number, raw, level: marks.length, text: title.trim() }
  const line = lineOf(raw, number)
  if (line._tag !== 'Header') return line
  // Up to three blanks, of which a tab would be too many.
  return { _tag: 'Text', number, raw, indent: raw.length - raw.trimStart().length, text: raw.trim() }
}

const linesPerSlice = 4096

/** Three backticks at the start of a line began and ended a fence, whatever followed them. */
export const formerLinesInSlices = function* (text: string): Sliced<ReadonlyArray<Line>> {
  const lines: Array<Line> = []
  let isInside = false
  for (const raw of formerRawLines(text)) {
    const number = lines.length + 1
    const isBorder = raw.trimStart().startsWith('```')
    lines.push(isBorder || isInside ? { _tag: 'Fenced', number, raw, border: null } : formerLine(raw, number))
    if (isBorder) isInside = !isInside
    if (number % linesPerSlice === 0) yield
  }
  return lines
}

/** The value of a run of digits, commas and dots. */
const formerDecimal = (run: string): string | null => {
  const text = run.replaceAll(',', '.').replace(/\.$/u, '')
  if (!/^\d{0,12}(?:\.\d{1,12})?$/u.test(text) || text === '') return null
  return text.startsWith('.') ? `0${text}` : text
}

export const formerGrammar: Grammar = {
  points: text => {
    const found = /:\s{0,20}\d/u.exec(text)
    const colon = found === null ? text.indexOf(':') : found.index
    if (colon < 0) {
      const number = /\s[\d.,]+$/u.exec(text)
      return { character: (number === null ? text : text.slice(0, number.index)).trim(), value: null }
    }
    const run = /^\s*([\d.,]+)/u.exec(text.slice(colon + 1))?.[1]
    return { character: text.slice(0, colon).trim(), value: run === undefined ? null : formerDecimal(run) }
  },
  transfer: text => {
    const comma = text.indexOf(',')
    const money = /^(\d{1,12})\s+(\S.{0,200})$/su.exec(text.slice(0, Math.max(comma, 0)).trim())
    const sides = text
      .slice(comma + 1)
      .split('->')
      .map(side => side.trim())
    const [source, destination] = sides
    if (money === null || sides.length !== 2 || !source || !destination) return null
    const amount = Number(money[1])
    return amount > 0 ? { amount, denomination: (money[2] ?? '').trim(), source, destination } : null
  },
  lists: 'add',
}

/** Whether a value of `@ilość` in Zmiany was a quantity or a difference. */
export const wasQuantity = (text: string): boolean => /^[+-]?\d{1,15}$/u.test(text)

/** The identity of a session as it was compared: with comments and closing `#`s. */
export const formerKey = (header: string): string =>
  header
    .normalize('NFC')
    .replace(/^\s*#{1,6}\s+/u, '')
    .replace(/[\s\u00a0]+/gu, ' ')
    .trim()
