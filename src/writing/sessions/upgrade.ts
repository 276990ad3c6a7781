import { applySplices, keepHidden, type Splice } from '#src/domain/lore/file-edit.js'
import { type Line, linesOf, shownOf } from '#src/domain/lore/lines.js'
import { blockHead } from '#src/domain/lore/session-header.js'
import { splitList } from '#src/domain/sessions/reading/block-content.js'
import { parseSessionFile } from '#src/domain/sessions/reading/session-file.js'
import type { SessionCopy } from '#src/domain/sessions/session.js'
import { blockNames, type MetadataField, metadataFields } from './render.js'
import { findMisread, removeLines, type SectionLines, type Span, sectionLines } from './section-lines.js'

/**
 * The splices that bring the metadata of a copy to the form of generation 4 (FORMATS 4.9). Every word is
 * kept; prose and preserved blocks stay. A block that would then be parsed differently stays as it is.
 * Repeats until no field is gained, because one converted field may make an earlier one convertible; a second
 * upgrade therefore changes nothing.
 */
export const upgradeSplices = (text: string, copy: SessionCopy): ReadonlyArray<Splice> => {
  const section = sectionLines(text, copy)
  const settled = (
    taken: ReadonlyMap<MetadataField, ReadonlyArray<Splice>>,
  ): ReadonlyMap<MetadataField, ReadonlyArray<Splice>> => {
    const more = tryUpgrade(text, copy, section, taken)
    return more.size === taken.size ? taken : settled(more)
  }
  return [...settled(new Map()).values()].flat()
}

/** A block in the form of generation 4: its root line and the lines below. */
interface Upgraded {
  readonly span: Span
  /** Whether the block was a list before; otherwise it was an italic line or plain lines. */
  readonly isList: boolean
  readonly root: ReadonlyArray<string>
  readonly below: ReadonlyArray<string>
}

const child = (text: string): string => `    - ${text}`

interface Below {
  readonly lines: ReadonlyArray<string>
  /** The texts of the items; null unless all are one level below the root and nothing else is there. */
  readonly flat: ReadonlyArray<string> | null
}

/** The lines below a root item, indented four blanks for each level of their tree. */
const indentLines = (lines: ReadonlyArray<Line>): Below => {
  const indents = [0]
  const made: Array<string> = []
  const flat: Array<string> = []
  for (const line of lines) {
    if (line._tag === 'Item') {
      while (indents.length > 1 && (indents.at(-1) ?? 0) >= line.indent) indents.pop()
      indents.push(line.indent)
      made.push(`${' '.repeat(4 * (indents.length - 1))}- ${line.text}`)
      if (indents.length === 2) flat.push(line.text)
    } else if (line._tag === 'Text') made.push(`${' '.repeat(4 * indents.length - 2)}${line.text}`)
    else made.push(shownOf(line))
  }
  return { lines: made, flat: flat.length === lines.length ? flat : null }
}

const listOf = (field: MetadataField, span: Span, lines: ReadonlyArray<Line>): Upgraded | null => {
  const [first, ...rest] = lines
  const head = first?._tag === 'Item' ? blockHead(first.text) : null
  if (head === null) return null
  const { inline } = head
  const name = `- @${blockNames[field]}:`
  const { lines: below, flat } = indentLines(rest)
  const made = { span, isList: true }
  if (field === 'transfers' && flat !== null)
    return {
      ...made,
      root: [...(inline === '' ? [] : [inline]), ...flat].map(one => `${name} ${one}`),
      below: [],
    }
  if (inline === '') return { ...made, root: [name], below }
  if (field === 'logs') return { ...made, root: [name], below: [...below, child(inline)] }
  const isComma = field === 'locations' || field === 'participants'
  if (rest.length === 0 && (isComma || field === 'points'))
    return { ...made, root: [name], below: (isComma ? splitList(inline) : [inline]).map(child) }
  return { ...made, root: [`${name} ${inline}`], below }
}

const placesIn = (line: Line): ReadonlyArray<string> =>
  splitList(
    shownOf(line)
      .trim()
      .replace(/^\*[^:]*:/u, '')
      .replace(/\*$/u, ''),
  )

const legacyOf = (field: MetadataField, span: Span, lines: ReadonlyArray<Line>): Upgraded => {
  const items =
    field === 'logs'
      ? lines.map(line => shownOf(line).trim().slice('Logi:'.length).trim())
      : lines.flatMap(placesIn)
  return { span, isList: false, root: [`- @${blockNames[field]}:`], below: items.map(child) }
}

/**
 * Merges the older forms of a block into a list of the same field beside them, on the side where the parser
 * puts them.
 */
const joinLists = (field: MetadataField, all: ReadonlyArray<Upgraded>): ReadonlyArray<Upgraded> => {
  const lists = all.filter(one => one.isList)
  const legacy = all.filter(one => !one.isList)
  const items = legacy.flatMap(one => one.below)
  const [target, first] = [field === 'logs' ? lists.at(-1) : lists[0], legacy[0]]
  if (first === undefined) return all
  const host = target ?? first
  return all.map(one => {
    if (one !== host) return one.isList ? one : { ...one, root: [], below: [] }
    if (!one.isList) return { ...one, below: items }
    return { ...one, below: field === 'logs' ? [...one.below, ...items] : [...items, ...one.below] }
  })
}

const shownLines = ({ lines }: SectionLines, { from, to }: Span): ReadonlyArray<Line> =>
  lines.slice(from - 1, to).filter(({ _tag }) => _tag !== 'Hidden')

const fieldSplices = (section: SectionLines, header: number, field: MetadataField): ReadonlyArray<Splice> => {
  const read = section.blocks[field].map(span => {
    const lines = shownLines(section, span)
    return listOf(field, span, lines) ?? legacyOf(field, span, lines)
  })
  return joinLists(field, read).flatMap(({ span, root, below }): ReadonlyArray<Splice> => {
    const lines = [...root, ...below]
    if (lines.length === 0) return [removeLines(section, header, span)]
    const before = shownLines(section, span).map(line => shownOf(line).trimEnd())
    return before.join('\n') === lines.map(line => line.trimEnd()).join('\n') ? [] : [{ ...span, lines }]
  })
}

const readsAlike = (text: string, copy: SessionCopy, splices: ReadonlyArray<Splice>): boolean => {
  const { copies } = parseSessionFile({
    path: copy.path,
    text: applySplices(text, keepHidden(linesOf(text), splices)),
  })
  const now = copies.find(one => one.key === copy.key && one.line === copy.line)
  return (
    now !== undefined &&
    now.body === copy.body &&
    findMisread(now, copy) === null &&
    JSON.stringify(now.otherLists) === JSON.stringify(copy.otherLists)
  )
}

/**
 * Tries each field once, in order, and keeps its splices if the session still parses the same with all
 * splices so far.
 */
const tryUpgrade = (
  text: string,
  copy: SessionCopy,
  section: SectionLines,
  taken: ReadonlyMap<MetadataField, ReadonlyArray<Splice>>,
): ReadonlyMap<MetadataField, ReadonlyArray<Splice>> =>
  metadataFields.reduce((all, field) => {
    const own = all.has(field) ? [] : fieldSplices(section, copy.line, field)
    if (own.length === 0 || !readsAlike(text, copy, [...[...all.values()].flat(), ...own])) return all
    return new Map([...all, [field, own]])
  }, taken)
