import { type Line, linesOf, shownOf } from '#src/domain/lore/lines/lines.js'
import { readHeader, sessionKey } from '#src/domain/lore/session-header.js'
import type { BlockKind } from '#src/domain/lore/session-lines.js'
import { readSection, type SectionBlock } from '#src/domain/sessions/reading/section.js'
import { describeValue, secrecyOfText, type Told, type ToldValue } from './told.js'

const fieldNames: Readonly<Record<Exclude<BlockKind, 'Preserved'>, string>> = {
  Locations: 'Lokacje',
  Logs: 'Logi',
  Points: 'PU',
  Participants: 'Uczestnicy',
  Changes: 'Zmiany',
  Transfer: 'Transfer',
  Intel: 'Intel',
}

const fieldOf = ({ head }: SectionBlock): string =>
  head.kind === 'Preserved' ? head.name : fieldNames[head.kind]

/** A value of a session, which only callers who may read sessions see. */
const fieldValue = (field: string, text: string, subject: string = text): ToldValue =>
  describeValue(field, text, subject, secrecyOfText(text) ?? 'session')

/** The lines from `from` up to but excluding `to`, without blanks around them. */
const textOf = (lines: ReadonlyArray<Line>, from: number, to: number): string =>
  lines
    .slice(from - 1, to - 1)
    .filter(({ _tag }) => _tag !== 'Hidden')
    .map(line => shownOf(line).trimEnd())
    .join('\n')
    .trim()

const subjectOf = (text: string): string => text.split(':', 1)[0] ?? ''

/** The values of a block: one for each entry, and one for its inline text. */
const ofBlock = (lines: ReadonlyArray<Line>, block: SectionBlock): ReadonlyArray<ToldValue> => {
  const field = fieldOf(block)
  const { children } = block.item
  const entries = children.map((child, at) =>
    textOf(lines, child.line, children[at + 1]?.line ?? block.endLine + 1),
  )
  const inline = block.head.inline === '' ? [] : [block.head.inline]
  return [...inline, ...entries].map(text => fieldValue(field, text, subjectOf(text)))
}

/** The session in a piece of a Markdown file; empty when the piece is none. */
export const describeSession = (piece: string): ReadonlyArray<Told> => {
  const { lines } = linesOf(piece)
  const [header] = lines
  if (header?._tag !== 'Header' || header.level !== 3 || readHeader(header.text)._tag !== 'Session') return []
  const section = readSection(lines.slice(1))
  const body = section.body.map(run => textOf(lines, run.line, run.endLine + 1)).filter(text => text !== '')
  return [
    {
      kind: 'session',
      name: sessionKey(header.text),
      key: sessionKey(header.text),
      values: [
        ...section.blocks.flatMap(block => ofBlock(lines, block)),
        ...(section.italic === null ? [] : [fieldValue('Lokacje', section.italic)]),
        ...section.plainLogs.map(address => fieldValue('Logi', address)),
        ...(body.length === 0 ? [] : [fieldValue('treść', body.join('\n\n'), '')]),
      ],
    },
  ]
}
