import { findSessionLines } from '#src/domain/entities/document.js'
import { type Line, lineStarts, readLinesInSlices, shownSpans } from '#src/domain/lore/lines/lines.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { findWithheldInSlices } from '#src/domain/people/characters/visible-document.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { cutTextInSlices } from './cut-text.js'

/**
 * A run of lines that one document is made of: no withheld line is among them, so that every byte of the range
 * may be shown.
 */
export interface Section {
  /** The header above the run, without its marks; null before the first header of the file. */
  readonly title: string | null
  /** The first line, from 1. */
  readonly line: number
  /** Where the line starts in the file, in UTF-16 units. */
  readonly lineStart: number
  /** The text in the file, in UTF-16 units, `end` exclusive; it may start within its line. */
  readonly start: number
  readonly end: number
  /** The range in the blob; `to` exclusive. */
  readonly bytes: { readonly from: number; readonly to: number }
}

/** The lines of a file with their places, and which of them no caller or only a reader of sessions may see. */
export interface FileLines {
  readonly file: SourceFile
  readonly lines: ReadonlyArray<Line>
  /** UTF-16 offset of each line, and of the end. */
  readonly starts: ReadonlyArray<number>
  /** Byte offset of each line, and of the end. */
  readonly byteStarts: Float64Array
  readonly withheld: ReadonlySet<number>
  readonly sessions: ReadonlySet<number>
}

const bomBytes = 3
const linesPerSlice = 1024
/** Above this many sections of a text, its headers begin no further ones. */
export const splitSectionsMax = 5000
/** The most sections of a text; what follows them is not indexed. */
export const sectionsMax = 20_000

/** Parses the lines of a file, in slices. */
export const readFileLines = function* (file: SourceFile): Sliced<FileLines> {
  const { lines } = yield* readLinesInSlices(file.text)
  const starts = lineStarts(file.text)
  yield
  const byteStarts = new Float64Array(lines.length + 1)
  let at = file.bom === true ? bomBytes : 0
  for (let nth = 0; nth < lines.length; nth += 1) {
    byteStarts[nth] = at
    at += Buffer.byteLength(file.text.slice(starts[nth], starts[nth + 1]))
    if (nth % linesPerSlice === linesPerSlice - 1) yield
  }
  byteStarts[lines.length] = at
  const withheld = yield* findWithheldInSlices(lines, false)
  yield
  return { file, lines, starts, byteStarts, withheld, sessions: findSessionLines(lines) }
}

/** Lines `first` to `last` under one title, which become one section or several. */
interface Run {
  readonly title: string | null
  readonly first: number
  readonly last: number
  /** Where it begins in the first line and ends in the last one; null: with the line. */
  readonly from: number
  readonly to: number | null
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

const bytesIn = function* (text: string, start: number, end: number): Sliced<number> {
  const stepChars = 65_536
  let bytes = 0
  for (let at = start; at < end; ) {
    const next = Math.min(end, at + stepChars)
    // The halves of a surrogate pair, counted apart, would be six bytes.
    const to = next < end && isLowSurrogate(text.charCodeAt(next)) ? next + 1 : next
    bytes += Buffer.byteLength(text.slice(at, to))
    at = to
    if (at < end) yield
  }
  return bytes
}

/** The sections of a run, one after the other. */
const sectionsOfRun = function* (
  { file, starts, byteStarts }: FileLines,
  { title, first, last, from, to }: Run,
): Sliced<ReadonlyArray<Section>> {
  const { text } = file
  const firstStart = starts[first - 1] ?? 0
  const whole = {
    start: firstStart + from,
    end: to === null ? (starts[last] ?? text.length) : (starts[last - 1] ?? 0) + to,
  }
  const sections: Array<Section> = []
  let line = first
  let at = whole.start
  let byte = (byteStarts[first - 1] ?? 0) + Buffer.byteLength(text.slice(firstStart, at))
  for (const { start, end } of yield* cutTextInSlices(text, whole)) {
    byte += yield* bytesIn(text, at, start)
    const bytes = yield* bytesIn(text, start, end)
    while (line < last && (starts[line] ?? 0) <= start) line += 1
    const lineStart = starts[line - 1] ?? 0
    sections.push({ title, line, lineStart, start, end, bytes: { from: byte, to: byte + bytes } })
    byte += bytes
    at = end
    if (sections.length % 64 === 0) yield
  }
  return sections
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

/** The runs of lines `from` to `to`: they end at headers, at comments and at lines that are left out. */
const runsOf = function* (of: FileLines, { from, to, isWanted, splits }: Cut): Sliced<ReadonlyArray<Run>> {
  const runs: Array<Run> = []
  let title: string | null = null
  let [first, column] = [0, 0]
  const close = (last: number, stop: number | null = null): void => {
    if (first > 0 && last >= first) runs.push({ title, first, last, from: column, to: stop })
    first = 0
    column = 0
  }
  const end = Math.min(to, of.lines.length)
  for (let number = from; number <= end; number += 1) {
    const line = of.lines[number - 1]
    if (line === undefined) continue
    const isHeader = line._tag === 'Header' && splits(line) && runs.length < splitSectionsMax
    if (!isWanted(line) || of.withheld.has(number) || line._tag === 'Hidden') {
      close(number - 1)
      if (isHeader) title = null
    } else {
      if (isHeader) {
        close(number - 1)
        title = line.text
      }
      const spans = line.comments === undefined ? [] : shownSpans(line)
      for (const [start, stop] of spans) {
        if (start > 0) close(number - 1)
        if (first === 0) [first, column] = [number, start]
        if (stop < line.raw.length) close(number, stop)
      }
      if (first === 0 && spans.length === 0 && line._tag !== 'Blank') first = number
    }
    if (number % linesPerSlice === 0) yield
  }
  close(end)
  return runs
}

/** Cuts lines `from` to `to` into sections: at headers, at lines that are left out, and where one grows long. */
export const cutSections = function* (of: FileLines, cut: Cut): Sliced<ReadonlyArray<Section>> {
  const sections: Array<Section> = []
  for (const [nth, run] of (yield* runsOf(of, cut)).entries()) {
    for (const section of yield* sectionsOfRun(of, run)) sections.push(section)
    if (sections.length >= sectionsMax) return sections.slice(0, sectionsMax)
    if (nth % 64 === 63) yield
  }
  return sections
}

/** The sections of a file that are no sessions. */
export const proseSections = (of: FileLines): Sliced<ReadonlyArray<Section>> =>
  cutSections(of, {
    from: 1,
    to: of.lines.length,
    isWanted: ({ number }) => !of.sessions.has(number),
    splits: () => true,
  })

/** The parts of one session of a file: its lines without those withheld. */
export const sessionSections = (
  of: FileLines,
  line: number,
  endLine: number,
): Sliced<ReadonlyArray<Section>> =>
  cutSections(of, { from: line, to: endLine, isWanted: () => true, splits: ({ number }) => number === line })
