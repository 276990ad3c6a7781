import type { RepoPath } from '#protocol/atoms.js'
import type { Finding, Severity } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { type Line, lineOf, lineStarts, readLine, readLinesInSlices } from '#src/domain/lore/lines.js'
import { lineFindings } from '#src/domain/lore/near-misses.js'
import { signProblem } from '#src/domain/lore/rows/rows.js'
import {
  blockHead,
  plusForm,
  type ReadHeader,
  readHeader,
  readPointsLine,
  sessionKey,
} from '#src/domain/lore/session-header.js'
import { quotableLine } from '#src/domain/lore/topic-text.js'
import { atOnce, forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import type { SessionCopy } from '../session.js'
import { type Grammar, grammar, type Notice } from './block-content.js'
import {
  bodyOf,
  metadataOf,
  readSection,
  type SectionText,
  type SessionSection,
  sessionBlocks,
} from './section.js'

/** The sessions of a Markdown file. Depends on its text alone, so the result is cached by blob id. */
export interface SessionFile {
  readonly path: RepoPath
  readonly copies: ReadonlyArray<SessionCopy>
  readonly findings: ReadonlyArray<Finding>
}

/** The sessions of a file as releases up to 0.4.0 read them. */
export const parseFormerFileInSlices = function* (
  file: Pick<SourceFile, 'path' | 'text'>,
): Sliced<ReadonlyArray<SessionCopy>> {
  return yield* copiesInSlices(file, yield* formerLinesInSlices(file.text), formerGrammar, [])
}

/**
 * Parses the sessions of a Markdown file, all four generations (FORMATS 4); yields between sessions. A
 * session ends at the next header of level 1 to 3. Text that cannot be parsed is a finding with its line; any
 * other `###` header is neither a session nor a finding. Never throws.
 */
export const parseSessionFileInSlices = function* (
  file: Pick<SourceFile, 'path' | 'text'>,
): Sliced<SessionFile> {
  const { lines, notices } = yield* readLinesInSlices(file.text)
  const findings: Array<Finding> = []
  const copies = yield* copiesInSlices(file, lines, grammar, findings)
  const isSessions = notices.length > 0 && (copies.length > 0 || lines.some(hidesSession))
  const told = notices.filter(({ _tag }) => isSessions || _tag === 'ConflictMarker')
  for (const finding of lineFindings(file.path, told)) findings.push(finding)
  return { path: file.path, copies, findings }
}

/** Runs `parseSessionFileInSlices` to its end without yielding. */
export const parseSessionFile = (file: Pick<SourceFile, 'path' | 'text'>): SessionFile =>
  atOnce(parseSessionFileInSlices(file))

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

/** Whether a value of `@ilość` in Zmiany was a quantity or a difference. */
export const wasQuantity = (text: string): boolean => /^[+-]?\d{1,15}$/u.test(text)

/** The identity of a session as it was compared: with comments and closing `#`s. */
export const formerKey = (header: string): string =>
  header
    .normalize('NFC')
    .replace(/^\s*#{1,6}\s+/u, '')
    .replace(/[\s\u00a0]+/gu, ' ')
    .trim()

/** The session that a finding concerns. */
export interface SessionPlace {
  readonly path: RepoPath
  readonly header: string
  readonly line: number
}

/** Returns a `Notice` that adds findings about the session at `place`. */
export const createNotice =
  (place: SessionPlace, findings: Array<Finding>): Notice =>
  (kind, line, reason, suggestion) => {
    findings.push(finding(place, kind, severities[kind], line, reason, suggestion))
  }

/**
 * Findings for a `###` header that begins no session: only when it looks like a date, or when a block of a session
 * follows below it (FORMATS 4.1, 6.6).
 */
export const badHeader = (
  place: SessionPlace,
  read: Exclude<ReadHeader, { _tag: 'Session' }>,
  below: ReadonlyArray<Line>,
): ReadonlyArray<Finding> => {
  const credited = readCredits(below)
  const names = [...new Set(sessionBlocks(below).map(({ head }) => head.name))]
  if (read._tag === 'Dateless' && credited === null && names.length === 0) return []
  const lost =
    credited === null
      ? names.map(name => ` Blok ${name} pod nim nie jest czytany.`).join('')
      : ` PU zapisane pod nim nikomu się nie liczą: ${credited.join(', ')}.`
  const reason =
    read._tag === 'Dateless'
      ? `Nagłówek nie ma daty, więc nie zaczyna sesji.${lost}`
      : `„${read.written}” nie jest dniem w zapisie RRRR-MM-DD, więc nagłówek nie zaczyna sesji.${lost}`
  const severity = credited === null ? 'warning' : 'error'
  return [
    finding(place, 'BadHeader', severity, place.line, reason, 'Zapisz „### RRRR-MM-DD, tytuł, narrator”.'),
  ]
}

export const badRange = (
  place: SessionPlace,
  range: 'Unreadable' | 'Inverted' | null,
): ReadonlyArray<Finding> => {
  if (range === null) return []
  const reason =
    range === 'Inverted'
      ? 'Dzień końca jest przed dniem początku; sesja jest czytana bez niego.'
      : 'Dzień końca po ukośniku nie jest dniem tego samego miesiąca; sesja jest czytana bez niego.'
  return [
    finding(
      place,
      'BadRange',
      'warning',
      place.line,
      reason,
      'Zapisz „RRRR-MM-DD/DD”, z późniejszym dniem na końcu.',
    ),
  ]
}

/** A finding for narrators joined by a conjunction, who count as one narrator (FORMATS 10). */
export const conjunctionFindings = (place: SessionPlace, narrator: string | null): ReadonlyArray<Finding> => {
  const joined = narrator === null ? null : plusForm(narrator)
  if (narrator === null || joined === null) return []
  const suggestion = `${place.header.slice(0, place.header.lastIndexOf(narrator))}${joined}`
  const reason = `„${narrator}” jest czytane jako jeden narrator: kilku narratorów łączy znak plus.`
  return [finding(place, 'NarratorConjunction', 'warning', place.line, reason, suggestion)]
}

export const strayBlock = (place: SessionPlace, section: SessionSection): ReadonlyArray<Finding> =>
  section.stray.map(({ line, text, why }) => {
    const [kind, severity, reason, suggestion] = strayKinds[why]
    const mark = why === 'Unknown' ? ' ' : ': '
    return finding(place, kind, severity, line, `${reason}${mark}„${quotableLine(text)}”.`, suggestion)
  })

/** Findings for names in the blocks of a session, and of its narrators, by `signProblem`; each name once. */
export const nameSigns = (
  place: SessionPlace,
  narrators: ReadonlyArray<string>,
  said: Pick<SessionCopy, 'locations' | 'participants' | 'points' | 'changes' | 'transfers' | 'intel'>,
): ReadonlyArray<Finding> => {
  let found: Map<string, Finding> | null = null
  const look = (name: string, line: number): void => {
    const problem = signProblem(name)
    if (problem === null) return
    found ??= new Map<string, Finding>()
    found.set(name, { ...problem, file: place.path, line, subject: place.header })
  }
  for (const name of narrators) look(name, place.line)
  for (const name of said.locations) look(name, place.line)
  for (const name of said.participants) look(name, place.line)
  for (const { character, line } of said.points) look(character, line)
  for (const { entity, line } of said.changes) look(entity, line)
  for (const { source, destination, line } of said.transfers) {
    look(source, line)
    look(destination, line)
  }
  for (const { target, line } of said.intel) look(target, line)
  return listOf(found)
}

const noFindings: ReadonlyArray<Finding> = []

const listOf = (found: ReadonlyMap<string, Finding> | null): ReadonlyArray<Finding> =>
  found === null ? noFindings : [...found.values()]

type Header = Extract<Line, { _tag: 'Header' }>

const sectionOf = (
  text: SectionText,
  path: RepoPath,
  header: Header,
  below: ReadonlyArray<Line>,
  grammar: Grammar,
  findings: Array<Finding>,
): SessionCopy | null => {
  const read = readHeader(header.text)
  const place = { path, header: header.text, line: header.number }
  if (read._tag !== 'Session') {
    for (const finding of badHeader(place, read, below)) findings.push(finding)
    return null
  }
  const section = readSection(below, grammar)
  const metadata = metadataOf(section, text, createNotice(place, findings), grammar)
  const { badRange: range, date, dateEnd, title, narrator, narrators } = read.header
  findings.push(
    ...badRange(place, range),
    ...conjunctionFindings(place, narrator),
    ...strayBlock(place, section),
    ...nameSigns(place, narrators, metadata),
  )
  const { generation, locations, otherLists, logs, points, participants } = metadata
  const { changes, transfers, intel, preserved } = metadata
  // Field by field: spreading records into one of thousands costs the start of a host more than reading its lines.
  return {
    header: header.text,
    key: sessionKey(header.text),
    path,
    line: header.number,
    endLine: below.findLast(line => line._tag !== 'Blank' && line._tag !== 'Hidden')?.number ?? header.number,
    date,
    dateEnd,
    title,
    narrator,
    narrators,
    generation,
    locations,
    otherLists,
    logs,
    points,
    participants,
    changes,
    transfers,
    intel,
    preserved,
    body: bodyOf(text, section.body),
  }
}

/** Whether a line that does not show would begin a session. */
const hidesSession = ({ _tag, raw }: Line): boolean => {
  const line = _tag === 'Fenced' || _tag === 'Hidden' ? readLine(raw) : null
  return line?._tag === 'Header' && line.level === 3 && readHeader(line.text)._tag === 'Session'
}

/** The sessions that lines hold; what is odd about them is added to `findings`. */
const copiesInSlices = function* (
  { path, text }: Pick<SourceFile, 'path' | 'text'>,
  lines: ReadonlyArray<Line>,
  grammar: Grammar,
  findings: Array<Finding>,
): Sliced<ReadonlyArray<SessionCopy>> {
  const starts = lines.filter((line): line is Header => line._tag === 'Header' && line.level <= 3)
  const section: SectionText = {
    text,
    lines,
    hides: lines.some(line => line._tag === 'Hidden' || line.shown !== undefined),
    starts: lineStarts(text),
    hasCr: text.includes('\r'),
  }
  yield
  const copies: Array<SessionCopy> = []
  yield* forEachInSlices(starts.entries(), ([at, header]) => {
    if (header.level !== 3) return
    const below = lines.slice(header.number, (starts[at + 1]?.number ?? lines.length + 1) - 1)
    const copy = sectionOf(section, path, header, below, grammar, findings)
    if (copy !== null) copies.push(copy)
  })
  return copies
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

/** The value of a run of digits, commas and dots. */
const formerDecimal = (run: string): string | null => {
  const text = run.replaceAll(',', '.').replace(/\.$/u, '')
  if (!/^\d{0,12}(?:\.\d{1,12})?$/u.test(text) || text === '') return null
  return text.startsWith('.') ? `0${text}` : text
}

const formerGrammar: Grammar = {
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

const finding = (
  place: SessionPlace,
  kind: string,
  severity: Severity,
  line: number,
  reason: string,
  suggestion: string | null,
): Finding => ({ kind, severity, file: place.path, line, subject: place.header, reason, suggestion })

const severities: Readonly<Record<Parameters<Notice>[0], Severity>> = {
  MalformedPoints: 'error',
  DuplicatePoints: 'warning',
  DifferingPoints: 'error',
  RepeatedBlock: 'warning',
  MalformedChange: 'warning',
  MalformedTransfer: 'error',
  MalformedIntel: 'warning',
  MalformedLog: 'warning',
}

/** Names that a PU block below a header gives points to; null when there is no such block. */
const readCredits = (below: ReadonlyArray<Line>): ReadonlyArray<string> | null => {
  const start = below.findIndex(
    line => line._tag === 'Item' && line.indent === 0 && blockHead(line.text)?.kind === 'Points',
  )
  if (start < 0) return null
  const rest = below.slice(start + 1)
  const end = rest.findIndex(line => line._tag !== 'Item' || line.indent === 0)
  return rest
    .slice(0, end < 0 ? rest.length : end)
    .flatMap(line => (line._tag === 'Item' ? [quotableLine(readPointsLine(line.text).character)] : []))
}

const strayKinds = {
  Indented: ['IndentedBlock', 'warning', 'Wcięty blok jest czytany jako zwykły tekst', 'Usuń wcięcie.'],
  Unknown: ['UnknownBlock', 'info', 'Nie ma bloku sesji o nazwie', null],
  Cut: [
    'CutRow',
    'warning',
    'Blok kodu kończy listę wyżej, więc ten wiersz do niej nie należy',
    'Przenieś blok kodu pod całą listę.',
  ],
} as const
