import { lineStarts } from './lines.js'

/** Lines of a text, counted from 1, `to` inclusive; empty when `to` is before `from`. */
export interface LineRange {
  readonly from: number
  readonly to: number
}

/** Bytes of UTF-8 in ranges of lines, newlines included. Takes one pass over the text to find the lines. */
export const bytesOfLines = (text: string, ranges: ReadonlyArray<LineRange>): number => {
  const starts = lineStarts(text)
  const startOf = (line: number): number => starts[line - 1] ?? text.length
  return ranges.reduce(
    (sum, { from, to }) =>
      to < from ? sum : sum + Buffer.byteLength(text.slice(startOf(from), startOf(to + 1))),
    0,
  )
}
