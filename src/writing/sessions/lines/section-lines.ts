import { type Line, linesOf } from '#src/domain/lore/lines.js'
import type { BlockKind } from '#src/domain/lore/session-header.js'
import { addressIn } from '#src/domain/sessions/reading/block-content.js'
import { readSection } from '#src/domain/sessions/reading/section.js'
import type { SessionCopy } from '#src/domain/sessions/session.js'
import type { BlockField } from '../report/draft.js'

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
