import { findSessionLines } from '#src/domain/entities/document.js'
import { type Line, readLinesInSlices } from '#src/domain/lore/lines/lines.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { findWithheld } from '#src/domain/people/characters/visible-document.js'
import { lineStarts } from '#src/domain/sessions/reading/section-text.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'

/**
 * A run of lines that one document is made of: no withheld line is among them, so that every byte of the range
 * may be shown.
 */
export interface Section {
  /** The header above the run, without its marks; null before the first header of the file. */
  readonly title: string | null
  /** The first line, from 1. */
  readonly line: number
  readonly text: string
  /** Where the text starts in the file, in UTF-16 units. */
  readonly start: number
  /** The range in the blob; `to` exclusive. */
  readonly bytes: { readonly from: number; readonly to: number }
}

/** The lines of a file with their places, and which of them are shown to nobody or to readers of sessions. */
export interface FileLines {
  readonly file: SourceFile
  readonly lines: ReadonlyArray<Line>
  /** UTF-16 offset of each line, and of the end. */
  readonly starts: Int32Array
  /** Byte offset of each line, and of the end. */
  readonly byteStarts: Float64Array
  readonly withheld: ReadonlySet<number>
  readonly sessions: ReadonlySet<number>
}

/** A longer section is cut into several, so that its best part is a hit and a snippet stays cheap. */
const sectionCharsMax = 6000

const bomBytes = 3

/** Parses the lines of a file, in slices. */
export const readFileLines = function* (file: SourceFile): Sliced<FileLines> {
  const { lines } = yield* readLinesInSlices(file.text)
  const starts = lineStarts(file.text, lines)
  yield
  const byteStarts = new Float64Array(lines.length + 1)
  let at = file.bom === true ? bomBytes : 0
  for (let nth = 0; nth < lines.length; nth += 1) {
    byteStarts[nth] = at
    at += Buffer.byteLength(file.text.slice(starts[nth], starts[nth + 1]))
    if (nth % 4096 === 4095) yield
  }
  byteStarts[lines.length] = at
  const withheld = findWithheld(lines, false)
  yield
  return { file, lines, starts, byteStarts, withheld, sessions: findSessionLines(lines) }
}

const sectionOf = (of: FileLines, title: string | null, from: number, to: number): Section => {
  const { starts, byteStarts, file } = of
  const [start, end] = [starts[from - 1] ?? 0, starts[to] ?? file.text.length]
  return {
    title,
    line: from,
    text: file.text.slice(start, end),
    start,
    bytes: { from: byteStarts[from - 1] ?? 0, to: byteStarts[to] ?? 0 },
  }
}

/** What the walk over the lines of a file decides. */
interface Cut {
  readonly from: number
  readonly to: number
  /** Whether the line is part of a document at all. */
  readonly isWanted: (line: Line) => boolean
  /** Whether a header begins a section; else its lines stay with those above. */
  readonly splits: (line: Line) => boolean
}

/** Cuts lines `from` to `to` into sections: at headers, at lines that are left out, and where one grows long. */
export const cutSections = (of: FileLines, { from, to, isWanted, splits }: Cut): ReadonlyArray<Section> => {
  const sections: Array<Section> = []
  let title: string | null = null
  let first = 0
  const close = (last: number): void => {
    if (first > 0 && last >= first) sections.push(sectionOf(of, title, first, last))
    first = 0
  }
  for (const line of of.lines.slice(from - 1, to)) {
    const { number } = line
    if (!isWanted(line) || of.withheld.has(number)) {
      close(number - 1)
      if (line._tag === 'Header' && splits(line)) title = null
      continue
    }
    const length = first === 0 ? 0 : (of.starts[number] ?? 0) - (of.starts[first - 1] ?? 0)
    if (line._tag === 'Header' && splits(line)) {
      close(number - 1)
      title = line.text
    } else if (length > sectionCharsMax) close(number - 1)
    if (first === 0 && line._tag !== 'Blank') first = number
  }
  close(Math.min(to, of.lines.length))
  return sections
}

/** The sections of a file that are no sessions. */
export const proseSections = (of: FileLines): ReadonlyArray<Section> =>
  cutSections(of, {
    from: 1,
    to: of.lines.length,
    isWanted: ({ number }) => !of.sessions.has(number),
    splits: () => true,
  })

/** The parts of one session of a file: its lines without those withheld. */
export const sessionSections = (of: FileLines, line: number, endLine: number): ReadonlyArray<Section> =>
  cutSections(of, { from: line, to: endLine, isWanted: () => true, splits: ({ number }) => number === line })
