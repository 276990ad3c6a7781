import { nfc } from '#protocol/atoms.js'
import type { Line } from '#src/domain/lore/lines/lines.js'
import { type BlockHead, blockHead } from '#src/domain/lore/session-lines.js'
import { isKnownTag } from '#src/domain/lore/tag-schema.js'
import { addressIn, fitsBlock, type Grammar, grammar } from './block-content.js'
import { type Item, itemTree } from './item-tree.js'

/** A metadata block of a section with its lines. */
export interface SectionBlock {
  readonly head: BlockHead
  readonly item: Item
  /** First and last line, inclusive. */
  readonly line: number
  readonly endLine: number
}

/** First and last line of a run of prose, inclusive; lines that do not show may be among them. */
export interface LineRun {
  readonly line: number
  endLine: number
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

/**
 * The blocks among lines that only a session has: none that is kept word for word, unless it has an at sign, and no
 * row with the tag of an entity.
 */
export const sessionBlocks = (lines: ReadonlyArray<Line>): ReadonlyArray<SectionBlock> =>
  readSection(lines).blocks.filter(({ head: { at, kind, name } }) =>
    at ? !isKnownTag(nfc(name).toLowerCase()) : kind !== 'Preserved',
  )

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
