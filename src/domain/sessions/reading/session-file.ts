import type { RepoPath } from '#protocol/atoms.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { lineFindings } from '#src/domain/lore/lines/line-findings.js'
import { type Line, lineStarts, readLine, readLinesInSlices } from '#src/domain/lore/lines/lines.js'
import { readHeader, sessionKey } from '#src/domain/lore/session-header.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { atOnce, forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import type { SessionCopy } from '../session.js'
import { type Grammar, grammar } from './block-content.js'
import { formerGrammar, formerLinesInSlices } from './former-reading.js'
import {
  badHeader,
  badRange,
  conjunctionFindings,
  createNotice,
  nameSigns,
  strayBlock,
} from './parse-findings.js'
import { readSection } from './section.js'
import { metadataOf } from './section-metadata.js'
import { bodyOf, type SectionText } from './section-text.js'

/** The sessions of a Markdown file. Depends on its text alone, so the result is cached by blob id. */
export interface SessionFile {
  readonly path: RepoPath
  readonly copies: ReadonlyArray<SessionCopy>
  readonly findings: ReadonlyArray<Finding>
}

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
  const { badRange: range, ...said } = read.header
  const odd = [
    ...badRange(place, range),
    ...conjunctionFindings(place, said.narrator),
    ...strayBlock(place, section),
    ...nameSigns(place, { ...said, ...metadata }),
  ]
  for (const finding of odd) findings.push(finding)
  return {
    header: header.text,
    key: sessionKey(header.text),
    path,
    line: header.number,
    endLine: below.findLast(line => line._tag !== 'Blank' && line._tag !== 'Hidden')?.number ?? header.number,
    ...said,
    ...metadata,
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
