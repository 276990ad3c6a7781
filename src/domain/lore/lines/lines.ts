import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'

/** The line ending of a file: CRLF when it has any, else LF (FORMATS 0). Rewriting the file keeps it. */
export type Newline = '\r\n' | '\n'

export const newlineOf = (text: string): Newline => (text.includes('\r\n') ? '\r\n' : '\n')

interface Placed {
  /** Line number, counted from 1. */
  readonly number: number
  /** The line as written, without its newline. */
  readonly raw: string
}

/**
 * A line in the form that all lore formats share (FORMATS 0). `text` is trimmed. Everything inside a fence,
 * with its two borders, is `Fenced`: no header, no list, no link. Indents count a tab as four; the indent of
 * an item is rounded down to even.
 */
export type Line = Placed &
  (
    | { readonly _tag: 'Header'; readonly level: number; readonly text: string }
    | { readonly _tag: 'Item'; readonly indent: number; readonly text: string }
    | { readonly _tag: 'Text'; readonly indent: number; readonly text: string }
    | { readonly _tag: 'Fenced' }
    | { readonly _tag: 'Blank' }
  )

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0xa0

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/** Offset of the text of a list item, or -1: `-`, `*`, `+` or `N.`, a blank, text. */
const itemStart = (raw: string, at: number): number => {
  const first = raw.charCodeAt(at)
  let end = at
  if (first === 0x2d || first === 0x2a || first === 0x2b) end = at + 1
  else {
    while (end - at < 9 && isDigit(raw.charCodeAt(end))) end += 1
    if (end === at || raw.charCodeAt(end) !== 0x2e) return -1
    end += 1
  }
  return isBlank(raw.charCodeAt(end)) ? end + 1 : -1
}

/** The lines of a text without their newlines. A newline at the end of the text starts no further line. */
export const rawLines = (text: string): ReadonlyArray<string> => {
  if (text === '') return []
  const pieces = text.split('\n')
  if (pieces.at(-1) === '') pieces.pop()
  return pieces.map(piece => (piece.endsWith('\r') ? piece.slice(0, -1) : piece))
}

const widthOf = (raw: string, start: number): number => {
  let width = 0
  for (let at = 0; at < start; at += 1) width += raw.charCodeAt(at) === 0x09 ? 4 : 1
  return width
}

const lineOf = (raw: string, number: number): Line => {
  let start = 0
  while (start < raw.length && isBlank(raw.charCodeAt(start))) start += 1
  const text = raw.trim()
  if (text === '') return { _tag: 'Blank', number, raw }
  if (start === 0 && raw.charCodeAt(0) === 0x23) {
    let level = 0
    while (raw.charCodeAt(level) === 0x23) level += 1
    const title = raw.slice(level).trim()
    if (title !== '') return { _tag: 'Header', number, raw, level, text: title }
  }
  const item = itemStart(raw, start)
  const indent = widthOf(raw, start)
  if (item >= 0) {
    const content = raw.slice(item).trim()
    if (content !== '') return { _tag: 'Item', number, raw, indent: indent - (indent % 2), text: content }
  }
  return { _tag: 'Text', number, raw, indent, text }
}

/** The lines of a text. `openFence` is the line of a fence that is never closed; null when there is none. */
export interface Lines {
  readonly lines: ReadonlyArray<Line>
  readonly openFence: number | null
}

/** Lines parsed between two yields: a millisecond or two of work. */
const linesPerSlice = 4096

/** Parses the lines of a text in slices. Accepts any text. */
export const readLinesInSlices = function* (text: string): Sliced<Lines> {
  let fence: number | null = null
  const lines: Array<Line> = []
  for (const raw of rawLines(text)) {
    const number = lines.length + 1
    const isBorder = raw.includes('```') && raw.trimStart().startsWith('```')
    lines.push(isBorder || fence !== null ? { _tag: 'Fenced', number, raw } : lineOf(raw, number))
    if (isBorder) fence = fence === null ? number : null
    if (number % linesPerSlice === 0) yield
  }
  return { lines, openFence: fence }
}

/** Runs `readLinesInSlices` to its end without yielding. */
export const linesOf = (text: string): Lines => atOnce(readLinesInSlices(text))
