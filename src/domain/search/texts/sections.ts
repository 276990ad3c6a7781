import { perValue } from '#src/domain/caching/per-value.js'
import { findSessionLines } from '#src/domain/entities/entity.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { type Line, lineStarts, readLinesInSlices, shownSpans } from '#src/domain/lore/lines.js'
import { findWithheldInSlices } from '#src/domain/people/visible-document.js'
import { credentialPatterns } from '#src/domain/redaction/scrub.js'
import { forEachInSlices, type Sliced, sortInSlices } from '#src/domain/slicing/sliced.js'

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

/** A longer text is cut into several, so that its best part is a hit and a snippet stays cheap. */
export const sectionCharsMax = 6000

/**
 * The text in a range of the bytes of its UTF-8 form, `to` exclusive; null where the text ends before. Keeps marks of
 * about 1.5 % of the text with the value, so that the bytes of the whole text are counted once.
 */
export const sliceBytes = (of: Texted, from: number, to: number): string | null => {
  const [start, end] = [findByte(of, from), findByte(of, to)]
  return start === null || end === null ? null : of.text.slice(start, end)
}

/** The most forms of one lexicon; those of later texts are left out. */
export const lexiconFormsMax = 100_000

/** Whether a line of `lematy.tsv` can hold the text. */
export const isPlain = (text: string): boolean => text !== '' && !/[\t\r\n#]/u.test(text)

/** Forms with their lemmas as lines of `lematy.tsv`, in UTF-8. Both must be plain. */
export const lexiconLines = function* (forms: ReadonlyMap<string, string>): Sliced<Uint8Array> {
  const lines: Array<string> = []
  yield* forEachInSlices(forms, ([form, lemma]) => lines.push(`${form}\t${lemma}\n`))
  return Buffer.from(lines.join(''))
}

/** The lines of all sidecars, each once, sorted. */
export const lexiconText = function* (sidecars: Iterable<Uint8Array>): Sliced<string> {
  const lines = new Set<string>()
  for (const forms of sidecars) {
    if (lines.size >= lexiconFormsMax) break
    yield* forEachInSlices(Buffer.from(forms).toString('utf8').split('\n'), line => {
      if (line !== '' && lines.size < lexiconFormsMax) lines.add(`${line}\n`)
    })
  }
  const sorted = yield* sortInSlices([...lines], (one, other) => (one < other ? -1 : 1))
  return sorted.join('')
}

const bomBytes = 3
const linesPerSlice = 1024
/** Above this many sections of a text, its headers begin no further ones. */
const splitSectionsMax = 5000

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
const cutSections = function* (of: FileLines, cut: Cut): Sliced<ReadonlyArray<Section>> {
  const sections: Array<Section> = []
  for (const [nth, run] of (yield* runsOf(of, cut)).entries()) {
    for (const section of yield* sectionsOfRun(of, run)) sections.push(section)
    if (sections.length >= sectionsMax) return sections.slice(0, sectionsMax)
    if (nth % 64 === 63) yield
  }
  return sections
}

/** How far a credential is followed over the place of a cut. */
const overlapChars = 512
/** No private key is so long: a text that goes on as one is left out. */
const credentialCharsMax = 65_536
const scanChars = 65_536

/** A part of a text, `end` exclusive. */
interface TextPart {
  readonly start: number
  readonly end: number
}

/** Marks each place at which a cut would divide a credential, whose second half no pattern would find. */
const markCredentials = (text: string): Uint8Array => {
  const marks = new Uint8Array(text.length + 1)
  for (const [mark, pattern] of credentialPatterns)
    if (text.includes(mark))
      for (const { 0: found, index } of text.matchAll(pattern)) marks.fill(1, index + 1, index + found.length)
  return marks
}

const isBlankAt = (text: string, at: number): boolean => /\s/u.test(text[at] ?? '')

/** The last place in the first part of `window` to cut it at: below a line, else after a blank; 0: none. */
const cutOf = (window: string): number => {
  const marks = markCredentials(window)
  for (let at = window.lastIndexOf('\n', sectionCharsMax - 1); at >= sectionCharsMax / 2; ) {
    if (marks[at + 1] === 0) return at + 1
    at = window.lastIndexOf('\n', at - 1)
  }
  for (let at = sectionCharsMax; at > 0; at -= 1) if (marks[at] === 0 && isBlankAt(window, at - 1)) return at
  return 0
}

/**
 * Where the text goes on after a part that cannot be cut: a word that is no prose, such as a picture in base64,
 * or a credential.
 */
const resumeAfter = function* (text: string, start: number, end: number): Sliced<number> {
  const near = text.slice(start, Math.min(end, start + credentialCharsMax))
  const marks = markCredentials(near)
  yield
  for (let at = sectionCharsMax; at < near.length; at += 1)
    if (marks[at + 1] !== 1 && isBlankAt(near, at)) return start + at + 1
  if (marks[near.length - 1] === 1) return end
  for (let at = start + near.length; at < end; at += scanChars) {
    const found = text.slice(at, Math.min(end, at + scanChars)).search(/\s/u)
    if (found >= 0) return at + found + 1
    yield
  }
  return end
}

/**
 * Cuts a text into parts of at most `sectionCharsMax`, at ends of lines where it can, and never in a word or a
 * credential. A part that cannot be cut is left out.
 */
const cutTextInSlices = function* (text: string, { start, end }: TextPart): Sliced<ReadonlyArray<TextPart>> {
  const parts: Array<TextPart> = []
  let at = start
  while (end - at > sectionCharsMax) {
    const cut = cutOf(text.slice(at, Math.min(end, at + sectionCharsMax + overlapChars)))
    if (cut > 0) parts.push({ start: at, end: at + cut })
    at = cut > 0 ? at + cut : yield* resumeAfter(text, at, end)
    yield
  }
  if (end > at) parts.push({ start: at, end })
  return parts
}

const stepChars = 512

/** A text that is kept while its file is, so that its marks are made once. */
interface Texted {
  readonly text: string
}

/** Places about `stepChars` apart: the UTF-16 units and the bytes before each, one pair after the other. */
const marksOf = perValue(({ text }: Texted): Uint32Array => {
  const marks: Array<number> = []
  let [at, bytes] = [0, 0]
  while (at < text.length) {
    marks.push(at, bytes)
    let next = Math.min(text.length, at + stepChars)
    if (next < text.length && isLowSurrogate(text.charCodeAt(next))) next += 1
    bytes += Buffer.byteLength(text.slice(at, next))
    at = next
  }
  return Uint32Array.from(marks)
})

/** The index in `marks` of the last pair at or before a byte. */
const findMark = (marks: Uint32Array, byte: number): number => {
  let [low, high] = [0, marks.length / 2]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((marks[2 * middle + 1] ?? 0) <= byte) low = middle
    else high = middle
  }
  return 2 * low
}

/** The bytes of the UTF-8 form of a character that starts at `at`; half of a pair alone is written as U+FFFD. */
const bytesAt = (text: string, at: number): number => {
  const code = text.codePointAt(at) ?? 0
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}

/** The place of a byte in UTF-16 units; null where the text has fewer bytes. */
const findByte = (of: Texted, byte: number): number | null => {
  const { text } = of
  const marks = marksOf(of)
  const mark = findMark(marks, byte)
  let [at, before] = [marks[mark] ?? 0, marks[mark + 1] ?? 0]
  while (at < text.length && before < byte) {
    const bytes = bytesAt(text, at)
    before += bytes
    at += bytes === 4 ? 2 : 1
  }
  return before < byte ? null : at
}
