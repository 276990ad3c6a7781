import type { Tree } from '#protocol/atoms.js'
import { type Sliced } from '#src/domain/slicing/sliced.js'
import { isEnactedLedger, ledgerBytesMax } from '../layout.js'
import { newlineOf } from '../lines.js'
import { type MergeBlock, mergeBlocks } from './blocks.js'
import { mergeIdLines, mergeLedger, mergeRecords, recordRules } from './records.js'
import { type Conflict, type Side, type Three, takeChangedSide, withoutLineEnd } from './units.js'

/**
 * Merges the three versions of a lore file (D30); null means that the file is missing or is no text. Markdown
 * is merged by block and row, ledgers by line, samples by id, the lists of `.svc` by record; for any other file it is a
 * conflict when both sides changed it. A file that both sides added has no base. Swapping the sides together
 * with `stands` gives the same text. A file above the ceiling is a conflict as a whole, because the work
 * grows with its units (n log n). Yields between slices of a few milliseconds.
 */
export const mergeFileInSlices = function* (
  path: string,
  texts: Three<string | null>,
  { stands, tree = 'lore', ceiling = mergeCeilingOf(path) }: MergeOptions,
): Sliced<MergedFile> {
  const kept = takeChangedSide(texts)
  if (kept !== undefined) return { text: kept, conflicts: [] }
  const { base, ours, theirs } = texts
  const whole = (cause: Conflict['cause']): MergedFile => ({
    text: texts[stands],
    conflicts: [{ block: null, row: null, cause }],
  })
  if (ours === null || theirs === null) return whole('removed')
  const rules = recordRules.get(path)
  if (rules === undefined && !isLedger(path) && !isLore(path)) return whole('changed')
  const three = { base: base ?? '', ours, theirs }
  if (isAboveCeiling(three, ceiling)) return whole('too_large')
  if (rules !== undefined)
    return (yield* mergeRecords(rules, { base, ours, theirs }, stands)) ?? whole('changed')
  if (isIdLines(tree, path)) return yield* mergeIdLines(three, stands)
  return isLedger(path) ? { text: yield* mergeLedger(three), conflicts: [] } : yield* mergeText(three, stands)
}

/** The largest file that is merged by unit. Of a larger one each side keeps its own version. */
export interface MergeCeiling {
  /** Lines of one text; a text never has more units than lines. */
  readonly linesMax: number
  /** Length of one text in UTF-16 code units. */
  readonly charsMax: number
}

export const mergeCeiling: MergeCeiling = { linesMax: 100_000, charsMax: 16 * 1024 * 1024 }

/** A ledger is merged as long as it is read: a row that is left out would be enacted again. */
const ledgerCeiling: MergeCeiling = { linesMax: 1_000_000, charsMax: ledgerBytesMax }

export const mergeCeilingOf = (path: string): MergeCeiling =>
  isEnactedLedger(path) ? ledgerCeiling : mergeCeiling

/**
 * Files that are never merged although git could merge their lines: where both sides changed one, the version of
 * the remote stands and that of this host is parked. A topology of two halves is one that no person wrote (D46).
 */
export const wholeFiles: ReadonlyArray<string> = ['.svc/fleet.json']

/**
 * Whether the lines of a file are rows that their field `id` names: labelled samples and those for fine-tuning. Git
 * must not merge them by line.
 */
export const isIdLines = (tree: Tree, path: string): boolean =>
  path.endsWith('.jsonl') && (tree === 'probki' || (tree === 'adnotacje' && path.startsWith('samples/')))

/**
 * Whether a file belongs to an archived transcript, the text as it was taken or its sidecar. Neither is merged: a text
 * of two halves is one that no page had.
 */
export const isArchived = (tree: Tree, path: string): boolean => {
  const folder = tree === 'lore' ? 'logi/' : ''
  const name = path.slice(folder.length)
  return (
    (tree === 'lore' || tree === 'logi') && path.startsWith(folder) && /^[^/]+\.(?:txt|json)$/u.test(name)
  )
}

/** The merged text, null when the file is removed, and the conflicts. */
export interface MergedFile {
  readonly text: string | null
  readonly conflicts: ReadonlyArray<Conflict>
}

/**
 * Joins parts so that every line but the last ends with a newline, also one that was the last of its file.
 */
const lineBroken = (parts: ReadonlyArray<string>, newline: string): string => {
  const broken: Array<string> = []
  let isOpen = false
  for (const part of parts) {
    if (part === '') continue
    if (isOpen) broken.push(newline)
    broken.push(part)
    isOpen = !part.endsWith('\n')
  }
  return broken.join('')
}

const endWithNewline = (text: string, newline: string): string =>
  text === '' || text.endsWith('\n') ? text : text + newline

const blocksPerSlice = 512

/**
 * The text of the blocks. A block that was the last of its file is separated from the next by a blank line.
 */
const joinBlocks = function* (blocks: ReadonlyArray<MergeBlock>, newline: string): Sliced<string> {
  const parts: Array<string> = []
  for (const [at, block] of blocks.entries()) {
    if (at % blocksPerSlice === blocksPerSlice - 1) yield
    const head = block.head === null ? [] : [block.head]
    for (const piece of head.concat(block.units.flatMap(unit => unit.pieces))) parts.push(piece.raw)
    const tail = block.tail.map(piece => piece.raw).join('')
    const isEnd = at === blocks.length - 1
    const hasLines = block.head !== null || block.units.length > 0
    if (!isEnd) parts.push(tail === '' && block.isLast && hasLines ? newline : tail)
    else if (block.isLast) parts.push(tail)
  }
  yield
  return lineBroken(parts, newline)
}

const mergeText = function* (texts: Three<string>, stands: Side): Sliced<MergedFile> {
  const conflicts: Array<Conflict> = []
  const { base, ours, theirs } = texts
  const newline =
    takeChangedSide({ base: newlineOf(base), ours: newlineOf(ours), theirs: newlineOf(theirs) }) ??
    newlineOf(ours + theirs)
  const blocks = yield* mergeBlocks(texts, stands, conflicts)
  yield
  const text = yield* joinBlocks(blocks, newline)
  const open = (one: string): boolean => one !== '' && !one.endsWith('\n')
  const isOpen = takeChangedSide({ base: open(base), ours: open(ours), theirs: open(theirs) }) ?? false
  return { text: isOpen ? withoutLineEnd(text) : endWithNewline(text, newline), conflicts }
}

const isLedger = (path: string): boolean => path.endsWith('.jsonl')
const isLore = (path: string): boolean => path.toLowerCase().endsWith('.md')

/** Options of a sliced merge. */
interface MergeOptions {
  /** The side whose version is kept where the two conflict. */
  readonly stands: Side
  /** The tree of the file; absent: the lore. */
  readonly tree?: Tree
  readonly ceiling?: MergeCeiling
}

const hasMoreLines = (text: string, linesMax: number): boolean => {
  let count = text === '' || text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at >= 0 && count <= linesMax; at = text.indexOf('\n', at + 1)) count += 1
  return count > linesMax
}

/** Whether one of the three texts exceeds the ceiling. */
const isAboveCeiling = (
  { base, ours, theirs }: Three<string>,
  { linesMax, charsMax }: MergeCeiling,
): boolean => [base, ours, theirs].some(text => text.length > charsMax || hasMoreLines(text, linesMax))
