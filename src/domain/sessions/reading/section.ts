import { type Generation, nfc } from '#protocol/atoms.js'
import { type Line, shownOf } from '#src/domain/lore/lines.js'
import { type BlockHead, type BlockKind, blockHead } from '#src/domain/lore/session-header.js'
import { isKnownTag } from '#src/domain/lore/tag-schema.js'
import type { SessionCopy } from '../session.js'
import {
  addressIn,
  changesOf,
  fitsBlock,
  type Grammar,
  grammar,
  type Item,
  intelOf,
  itemTree,
  logsOf,
  mergeChanges,
  mostRepeated,
  type Notice,
  namesOf,
  noticeRepeatedPoints,
  pointsKey,
  pointsOf,
  splitList,
  transferKey,
  transfersOf,
} from './block-content.js'

/** A metadata block of a section with its lines. */
export interface SectionBlock {
  readonly head: BlockHead
  readonly item: Item
  /** First and last line, inclusive. */
  readonly line: number
  readonly endLine: number
}

/**
 * The lines below a session header, by kind (FORMATS 4.2, 4.3). Every line that is not blank belongs to one
 * of the parts.
 */
export interface SessionSection {
  readonly blocks: ReadonlyArray<SectionBlock>
  /** The text of the italic line of places, when it is the first line. */
  readonly italic: string | null
  /** Addresses of plain `Logi:` lines. */
  readonly plainLogs: ReadonlyArray<string>
  readonly body: ReadonlyArray<LineRun>
  /** Lists at the margin that are no block. */
  readonly lists: ReadonlyArray<Item>
  /**
   * Items that look like blocks and are none: deeper than the margin, or with an unknown name; and lines that a fence
   * cuts off a block.
   */
  readonly stray: ReadonlyArray<{
    readonly line: number
    readonly text: string
    readonly why: 'Indented' | 'Unknown' | 'Cut'
  }>
}

/**
 * The blocks among lines that only a session has: none that is kept word for word, unless it has an at sign, and no
 * row with the tag of an entity.
 */
export const sessionBlocks = (lines: ReadonlyArray<Line>): ReadonlyArray<SectionBlock> =>
  readSection(lines).blocks.filter(({ head: { at, kind, name } }) =>
    at ? !isKnownTag(nfc(name).toLowerCase()) : kind !== 'Preserved',
  )

/**
 * Separates metadata from prose below a session header. A block is a list item at the margin with everything
 * indented below it, including blank lines between; a line at the margin, a fence or a deeper header ends it
 * (docs/spec/lore-session-blocks.md#formats-4-3).
 */
export const readSection = (lines: ReadonlyArray<Line>, by: Grammar = grammar): SessionSection => {
  const reading: Reading = {
    grammar: by,
    blocks: [],
    plainLogs: [],
    body: [],
    lists: [],
    stray: [],
    italic: null,
    begun: false,
    root: [],
    cut: false,
    hidden: { from: -1, to: -1 },
  }
  for (const line of lines) take(reading, line)
  close(reading)
  return reading
}

/** The text of a file with its lines and the offset of each, and one more for the end. */
export interface SectionText {
  readonly text: string
  readonly lines: ReadonlyArray<Line>
  readonly starts: ReadonlyArray<number>
  /** Whether some lines show in part or not at all. */
  readonly hides: boolean
  /** Whether any line ends with a CR. */
  readonly hasCr: boolean
}

/** The prose of a section: its runs, each trimmed, with a blank line between them. */
export const bodyOf = (text: SectionText, runs: ReadonlyArray<LineRun>): string => {
  const pieces = runs
    .map(run => textOf(text, run.line, run.endLine).trimStart())
    .filter(piece => piece !== '')
  return pieces.length === 1 ? (pieces[0] ?? '') : pieces.join('\n\n')
}

/** The metadata fields in the blocks of a section. Blocks of one kind are read as one. */
export const metadataOf = (
  section: SessionSection,
  text: SectionText,
  notice: Notice,
  grammar: Grammar,
): Metadata => {
  const lists = <A>(
    kind: BlockKind,
    read: (block: SectionBlock) => ReadonlyArray<A>,
  ): ReadonlyArray<ReadonlyArray<A>> => {
    const first = section.blocks.findIndex(({ head }) => head.kind === kind)
    const block = section.blocks[first]
    if (block === undefined) return []
    // Nearly every session has at most one block of a kind.
    const isOnly = section.blocks.findIndex(({ head }, at) => at > first && head.kind === kind) < 0
    return isOnly ? [read(block)] : listsOfBlocks(section.blocks, kind, read, grammar)
  }
  const each = <A>(kind: BlockKind, read: (block: SectionBlock) => ReadonlyArray<A>): ReadonlyArray<A> =>
    lists(kind, read).flat()
  noticeRepeatedBlocks(section.blocks, notice)
  const points = mostRepeated(
    lists('Points', ({ head, item }) => pointsOf(head, item, notice, grammar)),
    pointsKey,
  )
  noticeRepeatedPoints(points, notice)
  const places = each('Locations', ({ head, item }) => namesOf(head, item))
  const italic = section.italic === null ? [] : splitList(section.italic)
  const generation = generationOf(section)
  const stated = places.length + italic.length > 0 || generation === 'Gen1' || generation === 'Gen2'
  return {
    generation,
    locations: unique([...italic, ...places]),
    otherLists: stated ? [] : section.lists.map(list => list.children.map(child => child.text)),
    logs: unique([...each('Logs', ({ head, item }) => logsOf(head, item, notice)), ...section.plainLogs]),
    points,
    participants: unique(each('Participants', ({ head, item }) => namesOf(head, item))),
    changes: mergeChanges(lists('Changes', ({ item }) => changesOf(item, notice))),
    transfers: mostRepeated(
      lists('Transfer', ({ head, item }) => transfersOf(head, item, notice, grammar)),
      transferKey,
    ),
    intel: mostRepeated(
      lists('Intel', ({ item }) => intelOf(item, notice)),
      ({ target, message }) => `${target}\n${message}`,
    ),
    preserved: each('Preserved', ({ head, line, endLine }) => [
      { name: head.name, text: textOf(text, line, endLine) },
    ]),
  }
}

/** What several blocks of a kind say: together, or each block apart but for Transfers that are blocks themselves. */
const listsOfBlocks = <A>(
  all: ReadonlyArray<SectionBlock>,
  kind: BlockKind,
  read: (block: SectionBlock) => ReadonlyArray<A>,
  grammar: Grammar,
): ReadonlyArray<ReadonlyArray<A>> => {
  const blocks = all.filter(block => block.head.kind === kind)
  if (grammar.lists === 'add') return [blocks.flatMap(read)]
  const single = blocks.filter(isOneTransfer).flatMap(read)
  const others = blocks.filter(block => !isOneTransfer(block)).map(read)
  return [single, ...others].filter(list => list.length > 0)
}

/** First and last line of a run of prose, inclusive; lines that do not show may be among them. */
interface LineRun {
  readonly line: number
  endLine: number
}

interface Reading {
  readonly grammar: Grammar
  readonly blocks: Array<SectionBlock>
  readonly plainLogs: Array<string>
  readonly body: Array<LineRun>
  readonly lists: Array<Item>
  readonly stray: Array<SessionSection['stray'][number]>
  italic: string | null
  begun: boolean
  /** The open root item with the lines below it. */
  root: Array<Line>
  /** Whether the fence above ended a root item. */
  cut: boolean
  /** The number of the last line that does not show, and of the first one of them right above it. */
  hidden: { readonly from: number; readonly to: number }
}

const keep = (reading: Reading, line: number): void => {
  const last = reading.body.at(-1)
  const { from, to } = reading.hidden
  const above = to === line - 1 ? from - 1 : line - 1
  if (last !== undefined && last.endLine === above) last.endLine = line
  else reading.body.push({ line, endLine: line })
}

/** Keeps a line as prose, or notes that it does not show. */
const keepShown = (reading: Reading, line: Line): void => {
  if (line._tag !== 'Hidden') return keep(reading, line.number)
  const { from, to } = reading.hidden
  reading.hidden = { from: to === line.number - 1 ? from : line.number, to: line.number }
}

const unknownName = /^@\p{L}{2,40}\s{0,20}:/u

const lastWritten = (lines: ReadonlyArray<Line>): number =>
  lines.findLastIndex(line => line._tag !== 'Blank' && line._tag !== 'Hidden')

const noticeStray = (reading: Reading, lines: ReadonlyArray<Line>): void => {
  for (const line of lines) {
    if (line._tag !== 'Item') continue
    const head = blockHead(line.text)
    if (line.indent > 0 && head?.plain === true && head.kind !== 'Preserved' && head.kind !== 'Locations')
      reading.stray.push({ line: line.number, text: line.text, why: 'Indented' })
    if (line.indent === 0 && head === null && unknownName.test(line.text))
      reading.stray.push({ line: line.number, text: line.text, why: 'Unknown' })
  }
}

/** Ends the open root item: as a block, or as prose with all lines below it. */
const close = (reading: Reading): void => {
  const lines = reading.root
  const [first] = lines
  reading.root = []
  const item = itemTree(lines)
  if (first === undefined || first._tag !== 'Item' || item === null) return
  const end = lastWritten(lines)
  const head = blockHead(first.text)
  if (head !== null && (head.plain || fitsBlock(head, item, reading.grammar))) {
    reading.blocks.push({ head, item, line: first.number, endLine: lines[end]?.number ?? first.number })
    for (const blank of lines.slice(end + 1)) keepShown(reading, blank)
    return
  }
  if (item.children.length > 0) reading.lists.push(item)
  noticeStray(reading, lines)
  for (const line of lines) keepShown(reading, line)
}

const italicPlaces = (text: string): string | null => {
  if (!text.startsWith('*Lokalizacj')) return null
  const [colon, end] = [text.indexOf(':'), text.endsWith('*') ? text.length - 1 : text.length]
  return colon < 0 ? null : text.slice(colon + 1, end)
}

const takeText = (reading: Reading, line: Extract<Line, { _tag: 'Text' }>): void => {
  const italic = reading.begun || line.indent > 0 ? null : italicPlaces(line.text)
  const address = line.indent === 0 && line.text.startsWith('Logi:') ? addressIn(line.text) : null
  if (italic !== null) reading.italic = italic
  else if (address !== null) reading.plainLogs.push(address)
  else keep(reading, line.number)
}

const take = (reading: Reading, line: Line): void => {
  const open = reading.root.length > 0
  if (line._tag === 'Blank' || line._tag === 'Hidden') {
    if (open) reading.root.push(line)
    else keepShown(reading, line)
    return
  }
  if (open && (line._tag === 'Item' || line._tag === 'Text') && line.indent > 0) {
    reading.root.push(line)
    return
  }
  close(reading)
  if (reading.cut && 'indent' in line && line.indent > 0)
    reading.stray.push({ line: line.number, text: line.text, why: 'Cut' })
  reading.cut = line._tag === 'Fenced' && (open || reading.cut)
  if (line._tag === 'Item' && line.indent === 0) reading.root.push(line)
  else if (line._tag === 'Text') takeText(reading, line)
  else {
    noticeStray(reading, [line])
    keep(reading, line.number)
  }
  reading.begun = true
}

/** What shows of lines `line` to `endLine`, with LF newlines and without blanks at the end. */
const textOf = (
  { text, lines, starts, hides, hasCr }: SectionText,
  line: number,
  endLine: number,
): string => {
  if (hides) {
    const shown = lines.slice(line - 1, endLine).filter(({ _tag }) => _tag !== 'Hidden')
    return shown.map(shownOf).join('\n').trimEnd()
  }
  const slice = text.slice(starts[line - 1] ?? 0, starts[endLine] ?? text.length)
  return (hasCr ? slice.replace(/\r\n?/gu, '\n') : slice).trimEnd()
}

type Metadata = Pick<
  SessionCopy,
  | 'generation'
  | 'locations'
  | 'otherLists'
  | 'logs'
  | 'points'
  | 'participants'
  | 'changes'
  | 'transfers'
  | 'intel'
  | 'preserved'
>

/**
 * The generation (FORMATS 4.2): Gen2 by the italic line of places; else by the first root item that is `@`
 * and a letter (Gen4) or PU (Gen3); else Gen3 by any known block, which the predecessor did not recognise;
 * else Gen1.
 */
const generationOf = (section: SessionSection): Generation => {
  if (section.italic !== null) return 'Gen2'
  const roots = [...section.blocks.map(block => block.item), ...section.lists].sort(
    (left, right) => left.line - right.line,
  )
  const first = roots.find(root => /^@\p{L}/u.test(root.text) || /^PU(?:\s|:|$)/iu.test(root.text))
  if (first !== undefined) return first.text.startsWith('@') ? 'Gen4' : 'Gen3'
  return section.blocks.length > 0 ? 'Gen3' : 'Gen1'
}

const unique = (all: ReadonlyArray<string>): ReadonlyArray<string> =>
  all.length < 2 ? all : [...new Set(all)]

/** A block whose whole content is behind its name; a session may have one for each of its Transfers. */
const isOneTransfer = ({ head, item }: SectionBlock): boolean =>
  head.kind === 'Transfer' && item.children.length === 0

const noticeRepeatedBlocks = (blocks: ReadonlyArray<SectionBlock>, notice: Notice): void => {
  const seen = new Set<BlockKind>()
  for (const block of blocks) {
    const { kind, name } = block.head
    if (kind === 'Preserved' || isOneTransfer(block)) continue
    if (seen.has(kind))
      notice(
        'RepeatedBlock',
        block.line,
        `Sesja ma już blok tego rodzaju; „${name}” jest czytany razem z nim, a wpis, który mają oba, liczy się raz.`,
        'Przenieś wpisy do jednego bloku.',
      )
    seen.add(kind)
  }
}
