import { type Line, shownOf } from '#src/domain/lore/lines/lines.js'
import type { LineRun } from './section.js'

/** The text of a file with its lines and the offset of each, and one more for the end. */
export interface SectionText {
  readonly text: string
  readonly lines: ReadonlyArray<Line>
  readonly starts: ReadonlyArray<number>
  /** Whether some lines show in part or not at all. */
  readonly hides: boolean
  /** Whether any line ends with a CR. */
  readonly hasCr: boolean
}

/** What shows of lines `line` to `endLine`, with LF newlines and without blanks at the end. */
export const textOf = (
  { text, lines, starts, hides, hasCr }: SectionText,
  line: number,
  endLine: number,
): string => {
  if (hides) {
    const shown = lines.slice(line - 1, endLine).filter(({ _tag }) => _tag !== 'Hidden')
    return shown.map(shownOf).join('\n').trimEnd()
  }
  const slice = text.slice(starts[line - 1] ?? 0, starts[endLine] ?? text.length)
  return (hasCr ? slice.replace(/\r\n?/gu, '\n') : slice).trimEnd()
}

/** The prose of a section: its runs, each trimmed, with a blank line between them. */
export const bodyOf = (text: SectionText, runs: ReadonlyArray<LineRun>): string => {
  const pieces = runs
    .map(run => textOf(text, run.line, run.endLine).trimStart())
    .filter(piece => piece !== '')
  return pieces.length === 1 ? (pieces[0] ?? '') : pieces.join('\n\n')
}
