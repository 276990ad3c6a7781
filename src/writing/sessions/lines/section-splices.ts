import type { Splice } from '#src/domain/lore/file-edit.js'
import type { SessionCopy } from '#src/domain/sessions/session.js'
import type { BlockField, SessionBlocks } from '../report/draft.js'
import { metadataFields, renderBlock } from '../report/render.js'
import { findMisread } from './read-back.js'
import { type SectionLines, type Span, sectionLines } from './section-lines.js'

/** The parts of a session to replace; an absent field stays as it is (FORMATS 4.9). */
export interface Replaced {
  readonly content: string | null
  readonly blocks: Partial<SessionBlocks>
}

const order: ReadonlyArray<BlockField> = [...metadataFields, 'preserved']

const isBlankAt = ({ lines }: SectionLines, number: number): boolean => {
  const line = lines[number - 1]
  return line === undefined || line._tag === 'Blank'
}

/** Removes lines; when two blank lines would then meet, the first is removed too. */
export const removeLines = (section: SectionLines, header: number, { from, to }: Span): Splice => {
  const meets = from - 1 > header && isBlankAt(section, from - 1) && isBlankAt(section, to + 1)
  return { from: meets ? from - 1 : from, to, lines: [] }
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
