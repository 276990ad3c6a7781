import { createHash } from 'node:crypto'
import { right } from 'fp-ts/lib/Either.js'
import { type Day, pathOf, type RepoPath, requirePath } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Splice } from '#src/domain/lore/file-edit.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { type Line, linesOf, rawLines } from '#src/domain/lore/lines.js'
import { type BlockKind, readHeader } from '#src/domain/lore/session-header.js'
import { mergeSessions } from '#src/domain/sessions/merge.js'
import { addressIn } from '#src/domain/sessions/reading/block-content.js'
import { readSection } from '#src/domain/sessions/reading/section.js'
import { parseSessionFile } from '#src/domain/sessions/reading/session-file.js'
import type { Session, SessionCopy } from '#src/domain/sessions/session.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import {
  type BlockField,
  headerOf,
  metadataFields,
  renderBlock,
  renderSession,
  type SessionBlocks,
  type SessionDraft,
} from './render.js'
import { rejectValue, type Valued } from './values.js'

/**
 * Inserts a session at its chronological place in a file. Keeps the order of the file and one blank line on
 * each side; nothing else changes.
 */
export const insertSection = (
  text: string,
  copies: Dated,
  date: Day,
  section: ReadonlyArray<string>,
): Splice => {
  const lines = rawLines(text)
  const spot = isNewestFirst(copies) ? newestFirstSpot(copies, date) : oldestFirstSpot(copies, date)
  const last = lines.findLastIndex(line => line.trim() !== '') + 1
  const from = spot === null ? last + 1 : spot._tag === 'After' ? spot.copy.endLine + 1 : spot.copy.line
  const [above, below] = [lines[from - 2], lines[from - 1]]
  return {
    from,
    to: from - 1,
    lines: [
      ...(from === 1 || isBlankText(above) ? [] : ['']),
      ...section,
      ...(from > lines.length || isBlankText(below) ? [] : ['']),
    ],
  }
}

/** The path of a block's items in a request. */
export const pathOfField = (field: BlockField): string => `metadata.${field === 'points' ? 'pu' : field}`

/** The first block of `wanted` that a copy lacks or has otherwise; null when all match. */
export const findMisread = (copy: SessionCopy, wanted: Partial<SessionBlocks>): BlockField | null => {
  const fields: ReadonlyArray<BlockField> = [...metadataFields, 'preserved']
  return (
    fields.find(field => {
      const items = wanted[field]
      return items !== undefined && comparableText(items) !== comparableText(copy[field])
    }) ?? null
  )
}

/**
 * Returns the draft if parsing its rendered text gives the same session, so that no value forges a header, a
 * block or a line of one (SECURITY 4.8). Otherwise refuses it and names the field.
 */
export const readBack = (draft: SessionDraft): Valued<SessionDraft> => {
  const title = headerSays(draft)
  if (title !== null) return refuseForged(title)
  const text = `${renderSession(draft).join('\n')}\n`
  if (linesOf(text).unclosed !== null) return refuseForged('content')
  const { copies } = parseSessionFile({ path: nowhere, text })
  const [copy] = copies
  if (copy === undefined || copies.length !== 1) return refuseForged('content')
  if (copy.header !== headerOf(draft)) return refuseForged('title')
  if (copy.body !== draft.content) return refuseForged('content')
  const field = findMisread(copy, draft.blocks)
  return field === null ? right(draft) : refuseForged(pathOfField(field))
}

/** First and last line, counted from 1, inclusive. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The lines of each part of one copy of a session in its file. */
export interface SectionLines {
  readonly lines: ReadonlyArray<Line>
  readonly blocks: { readonly [F in BlockField]: ReadonlyArray<Span> }
  /** Runs of prose without the blank lines around them. */
  readonly body: ReadonlyArray<Span>
}

/** The lines of a copy by part, split as the parser of sessions does. */
export const sectionLines = (text: string, copy: Pick<SessionCopy, 'line'>): SectionLines => {
  const { lines } = linesOf(text)
  const below = lines.slice(copy.line, endOf(lines, copy.line))
  const section = readSection(below)
  const of = (field: BlockField): ReadonlyArray<Span> =>
    section.blocks.flatMap(({ head, line, endLine }) =>
      head.kind === kinds[field] ? [{ from: line, to: endLine }] : [],
    )
  return {
    lines,
    blocks: {
      locations: [...(section.italic === null ? [] : italicLine(below)), ...of('locations')],
      logs: [...of('logs'), ...plainLogs(below)],
      points: of('points'),
      participants: of('participants'),
      changes: of('changes'),
      transfers: of('transfers'),
      intel: of('intel'),
      preserved: of('preserved'),
    },
    body: section.body.flatMap(run => withoutBlanks(lines, run.line, run.endLine)),
  }
}

/** The parts of a session to replace; an absent field stays as it is (FORMATS 4.9). */
export interface Replaced {
  readonly content: string | null
  readonly blocks: Partial<SessionBlocks>
}

/** Removes lines; when two blank lines would then meet, the first is removed too. */
export const removeLines = (section: SectionLines, header: number, { from, to }: Span): Splice => {
  const meets = from - 1 > header && isBlankAt(section, from - 1) && isBlankAt(section, to + 1)
  return { from: meets ? from - 1 : from, to, lines: [] }
}

/**
 * The splices that give one copy the replaced parts; none when it has them already. A block is rendered in
 * its place in the form of generation 4; every other line is kept.
 */
export const sectionSplices = (
  text: string,
  copy: SessionCopy,
  { content, blocks }: Replaced,
): ReadonlyArray<Splice> => {
  const section = sectionLines(text, copy)
  const stay: Stay = field => blocks[field] === undefined || blocks[field].length > 0
  const atEnd = new Set<number>()
  const made = order.flatMap(field => {
    const items = blocks[field]
    if (items === undefined) return []
    return blockSplices(section, copy, field, items, lines => {
      const anchor = anchorOf(section, copy, field, stay)
      const follows = field !== 'preserved' && atEnd.has(anchor.from)
      atEnd.add(anchor.from)
      return [insertion(anchor, lines, follows)]
    })
  })
  return content === null ? made : [...contentSplices(section, copy, content), ...made]
}

/** The path of a staged draft, derived from the session's identity (LAYOUT). */
export const stagedPath = (key: string): RepoPath => requirePath(`${folder}${sha(key)}.md`)

/** The text of a staged draft; its first line names the target file, if known. */
export const stagedText = (file: RepoPath | null, section: ReadonlyArray<string>): string =>
  `${[...(file === null ? [] : [`${mark}${file} -->`, '']), ...section].join('\n')}\n`

/** The staged drafts, oldest first. */
export const stagedSessions = ({ files }: Snapshot): ReadonlyArray<StagedSession> => read(files)

/** The neighbour of a new session in a file, and on which side of it the session goes. */
type Spot = { readonly _tag: 'After' | 'Before'; readonly copy: SessionCopy }

type Dated = ReadonlyArray<SessionCopy>

/** Whether a file lists its sessions newest first: no session is older than the next, and some are newer. */
const isNewestFirst = (copies: Dated): boolean => {
  const dates = copies.map(copy => copy.date)
  return (
    dates.every((date, at) => at === 0 || date <= (dates[at - 1] ?? date)) &&
    (dates[0] ?? '') > (dates.at(-1) ?? '')
  )
}

const sameYear = (copy: SessionCopy, date: Day): boolean => copy.date.slice(0, 4) === date.slice(0, 4)

/** After the last session that is not later; before the next one when only that one is of the same year. */
const oldestFirstSpot = (copies: Dated, date: Day): Spot | null => {
  const at = copies.findLastIndex(copy => copy.date <= date)
  const [earlier, later] = [copies[at], copies[at + 1]]
  if (earlier === undefined) return later === undefined ? null : { _tag: 'Before', copy: later }
  if (later !== undefined && sameYear(later, date) && !sameYear(earlier, date))
    return { _tag: 'Before', copy: later }
  return { _tag: 'After', copy: earlier }
}

const newestFirstSpot = (copies: Dated, date: Day): Spot | null => {
  const at = copies.findIndex(copy => copy.date <= date)
  const [earlier, later] = [copies[at], at < 0 ? copies.at(-1) : copies[at - 1]]
  if (earlier === undefined) return later === undefined ? null : { _tag: 'After', copy: later }
  if (later !== undefined && sameYear(later, date) && !sameYear(earlier, date))
    return { _tag: 'After', copy: later }
  return { _tag: 'Before', copy: earlier }
}

const isBlankText = (line: string | undefined): boolean => line === undefined || line.trim() === ''

const nowhere = requirePath('nowhere.md')

/** The content of a value as text, without line numbers and in a fixed order of fields. */
const comparableText = (value: unknown): string =>
  JSON.stringify(value, (key, inner: unknown) => {
    if (key === 'line') return undefined
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1)))
  })

const refuseForged = (path: string) =>
  rejectValue(
    path,
    'The text would be read as something else: a header, a block, a fence, a comment or a separator.',
  )

const headerSays = (draft: SessionDraft): string | null => {
  const read = readHeader(headerOf(draft))
  if (read._tag !== 'Session') return 'title'
  const { date, dateEnd, title, narrators } = read.header
  if (date !== draft.date || dateEnd !== draft.dateEnd || title !== draft.title) return 'title'
  return narrators.join('\n') === draft.narrators.join('\n') ? null : 'narrators'
}

const kinds: { readonly [F in BlockField]: BlockKind } = {
  locations: 'Locations',
  logs: 'Logs',
  points: 'Points',
  participants: 'Participants',
  changes: 'Changes',
  transfers: 'Transfer',
  intel: 'Intel',
  preserved: 'Preserved',
}

const endOf = (lines: ReadonlyArray<Line>, header: number): number => {
  const next = lines.slice(header).find(line => line._tag === 'Header' && line.level <= 3)
  return next === undefined ? lines.length : next.number - 1
}

const isBlank = (line: Line | undefined): boolean =>
  line === undefined || line._tag === 'Blank' || line._tag === 'Hidden'

const withoutBlanks = (lines: ReadonlyArray<Line>, from: number, to: number): ReadonlyArray<Span> => {
  let [first, last] = [from, to]
  while (first <= last && isBlank(lines[first - 1])) first += 1
  while (last >= first && isBlank(lines[last - 1])) last -= 1
  return first > last ? [] : [{ from: first, to: last }]
}

/** Lines of the older forms: the italic line of places, runs of plain lines of logs (FORMATS 4.2). */
const plainLogs = (below: ReadonlyArray<Line>): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  for (const line of below) {
    if (line._tag !== 'Text' || line.indent > 0) continue
    if (!line.text.startsWith('Logi:') || addressIn(line.text) === null) continue
    const from = spans.at(-1)?.to === line.number - 1 ? (spans.pop()?.from ?? line.number) : line.number
    spans.push({ from, to: line.number })
  }
  return spans
}

const italicLine = (below: ReadonlyArray<Line>): ReadonlyArray<Span> => {
  const first = below.find(line => !isBlank(line))
  return first === undefined ? [] : [{ from: first.number, to: first.number }]
}

const order: ReadonlyArray<BlockField> = [...metadataFields, 'preserved']

const isBlankAt = ({ lines }: SectionLines, number: number): boolean => {
  const line = lines[number - 1]
  return line === undefined || line._tag === 'Blank'
}

interface Anchor {
  readonly from: number
  readonly before: boolean
  readonly after: boolean
}

/**
 * The place for a block that the session lacks: among the other blocks in canonical order, else at the end.
 */
const anchorOf = (section: SectionLines, copy: SessionCopy, field: BlockField, stay: Stay): Anchor => {
  const at = order.indexOf(field)
  const spans = (fields: ReadonlyArray<BlockField>): ReadonlyArray<Span> =>
    fields.filter(stay).flatMap(one => section.blocks[one])
  if (field !== 'preserved') {
    const earlier = spans(order.slice(0, at)).map(span => span.to)
    if (earlier.length > 0) return { from: Math.max(...earlier) + 1, before: false, after: false }
    const later = spans(metadataFields.slice(at + 1)).map(span => span.from)
    if (later.length > 0) return { from: Math.min(...later), before: false, after: false }
    const preserved = spans(['preserved']).map(span => span.from)
    if (preserved.length > 0) {
      const from = Math.min(...preserved)
      return { from, before: !isBlankAt(section, from - 1), after: true }
    }
  }
  return { from: copy.endLine + 1, before: true, after: !isBlankAt(section, copy.endLine + 1) }
}

type Stay = (field: BlockField) => boolean

const insertion = (
  { from, before, after }: Anchor,
  lines: ReadonlyArray<string>,
  follows: boolean,
): Splice => ({
  from,
  to: from - 1,
  lines: [...(before && !follows ? [''] : []), ...lines, ...(after ? [''] : [])],
})

const blockSplices = <F extends BlockField>(
  section: SectionLines,
  copy: SessionCopy,
  field: F,
  items: SessionBlocks[F],
  place: (lines: ReadonlyArray<string>) => ReadonlyArray<Splice>,
): ReadonlyArray<Splice> => {
  if (findMisread(copy, { [field]: items }) === null) return []
  const lines = renderBlock(field, items)
  const [first, ...others] = section.blocks[field]
  const gone = others.map(span => removeLines(section, copy.line, span))
  if (first === undefined) return lines.length === 0 ? [] : place(lines)
  return lines.length === 0
    ? [removeLines(section, copy.line, first), ...gone]
    : [{ ...first, lines }, ...gone]
}

const contentSplices = (section: SectionLines, copy: SessionCopy, content: string): ReadonlyArray<Splice> => {
  if (copy.body === content) return []
  const [first, ...others] = section.body
  const gone = others.map(span => removeLines(section, copy.line, span))
  if (first === undefined) {
    const from = copy.line + 1
    const lines = ['', ...content.split('\n'), ...(isBlankAt(section, from) ? [] : [''])]
    return [{ from, to: from - 1, lines }]
  }
  return content === ''
    ? [removeLines(section, copy.line, first), ...gone]
    : [{ ...first, lines: content.split('\n') }, ...gone]
}

const folder = '.svc/staged/'

const sha = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

const mark = '<!-- file: '

const targetOf = (text: string): RepoPath | null => {
  const first = rawLines(text)[0] ?? ''
  return first.startsWith(mark) && first.endsWith(' -->') ? pathOf(first.slice(mark.length, -4)) : null
}

/** A staged session with its target file. */
export interface StagedSession {
  readonly session: Session
  readonly target: RepoPath | null
}

const read = perValue((files: ReadonlyMap<string, SourceFile>): ReadonlyArray<StagedSession> => {
  const drafts = [...files.values()].filter(file => file.path.startsWith(folder))
  const { all } = mergeSessions(drafts.map(parseSessionFile))
  return all.map(session => ({ session, target: targetOf(files.get(session.path)?.text ?? '') }))
})
