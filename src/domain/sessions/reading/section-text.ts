import type { Line } from '#src/domain/lore/lines/lines.js'
import type { LineRun } from './section.js'

/** The text of a file with the offset of each line, and one more for the end. */
export interface SectionText {
  readonly text: string
  readonly starts: Int32Array
  readonly crlf: boolean
}

/** Offsets of the lines that `linesOf` made of `text`, and the end of the last one. */
export const lineStarts = (text: string, lines: ReadonlyArray<Line>): Int32Array => {
  const starts = new Int32Array(lines.length + 1)
  let at = 0
  lines.forEach((line, nth) => {
    starts[nth] = at
    const end = at + line.raw.length
    at = end + (text.charCodeAt(end) === 0x0d ? 2 : 1)
  })
  starts[lines.length] = Math.min(at, text.length)
  return starts
}

/** Lines `line` to `endLine` as written, with LF newlines and without blanks at the end. */
export const textOf = ({ text, starts, crlf }: SectionText, line: number, endLine: number): string => {
  const slice = text.slice(starts[line - 1] ?? 0, starts[endLine] ?? text.length)
  return (crlf ? slice.replaceAll('\r\n', '\n') : slice).trimEnd()
}

/** The prose of a section: its runs, each trimmed, with a blank line between them. */
export const bodyOf = (text: SectionText, runs: ReadonlyArray<LineRun>): string => {
  const pieces = runs
    .map(run => textOf(text, run.line, run.endLine).trimStart())
    .filter(piece => piece !== '')
  return pieces.length === 1 ? (pieces[0] ?? '') : pieces.join('\n\n')
}
