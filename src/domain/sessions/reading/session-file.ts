import type { RepoPath } from '#protocol/atoms/path.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { lineFindings } from '#src/domain/lore/lines/line-findings.js'
import { type Line, lineStarts, readLine, readLinesInSlices } from '#src/domain/lore/lines/lines.js'
import { readHeader, sessionKey } from '#src/domain/lore/session-header.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { atOnce, forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import type { SessionCopy } from '../session.js'
import { badHeader, badRange, conjunctionFindings, createNotice, strayBlock } from './parse-findings.js'
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
  findings: Array<Finding>,
): SessionCopy | null => {
  const read = readHeader(header.text)
  const place = { path, header: header.text, line: header.number }
  if (read._tag !== 'Session') {
    for (const finding of badHeader(place, read, below)) findings.push(finding)
    return null
  }
  const section = readSection(below)
  const metadata = metadataOf(section, text, createNotice(place, findings))
  const { badRange: range, ...said } = read.header
  const odd = [
    ...badRange(place, range),
    ...conjunctionFindings(place, said.narrator),
    ...strayBlock(place, section),
  ]
  for (const finding of odd) findings.push(finding)
  return {
    header: header.text,
    key: sessionKey(header.text),
    path,
    line: header.number,
    endLine: below.findLast(line => line._tag !== 'Blank')?.number ?? header.number,
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

/**
 * Parses the sessions of a Markdown file, all four generations (FORMATS 4); yields between sessions. A
 * session ends at the next header of level 1 to 3. Text that cannot be parsed is a finding with its line; any
 * other `###` header is neither a session nor a finding. Never throws.
 */
export const parseSessionFileInSlices = function* (
  file: Pick<SourceFile, 'path' | 'text'>,
): Sliced<SessionFile> {
  const { lines, notices } = yield* readLinesInSlices(file.text)
  const starts = lines.filter((line): line is Header => line._tag === 'Header' && line.level <= 3)
  const text: SectionText = {
    text: file.text,
    lines,
    hides: lines.some(line => line._tag === 'Hidden' || line.shown !== undefined),
    starts: lineStarts(file.text),
    hasCr: file.text.includes('\r'),
  }
  yield
  const findings: Array<Finding> = []
  const copies: Array<SessionCopy> = []
  yield* forEachInSlices(starts.entries(), ([at, header]) => {
    if (header.level !== 3) return
    const below = lines.slice(header.number, (starts[at + 1]?.number ?? lines.length + 1) - 1)
    const copy = sectionOf(text, file.path, header, below, findings)
    if (copy !== null) copies.push(copy)
  })
  const isSessions = notices.length > 0 && (copies.length > 0 || lines.some(hidesSession))
  const told = notices.filter(({ _tag }) => isSessions || _tag === 'ConflictMarker')
  for (const finding of lineFindings(file.path, told)) findings.push(finding)
  return { path: file.path, copies, findings }
}

/** Runs `parseSessionFileInSlices` to its end without yielding. */
export const parseSessionFile = (file: Pick<SourceFile, 'path' | 'text'>): SessionFile =>
  atOnce(parseSessionFileInSlices(file))
