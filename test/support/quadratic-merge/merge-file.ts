import { newlineOf } from '#src/domain/lore/lines.js'
import { recordRules } from '#src/domain/lore/merging/records.js'
import { type Conflict, type Side, type Three, takeChangedSide } from '#src/domain/lore/merging/units.js'
import { mergeBlocksQuadratically, type QuadraticBlock } from './blocks.js'
import { mergeLedgerQuadratically } from './ledger.js'
import { mergeRecordsQuadratically } from './records.js'

/** The text after a merge, null where the file is removed; and the conflicts of the two sides. */
export interface QuadraticMergedFile {
  readonly text: string | null
  readonly conflicts: ReadonlyArray<Conflict>
}

/** Every line but the last ends with a newline, also one that was the last of its file. */
const lineBroken = (parts: ReadonlyArray<string>, newline: string): string =>
  parts.reduce(
    (text, part) => (text === '' || part === '' || text.endsWith('\n') ? text : text + newline) + part,
    '',
  )

const endWithNewline = (text: string, newline: string): string =>
  text === '' || text.endsWith('\n') ? text : text + newline

/** The text of the blocks: a blank line separates a block that was the last of its file from what follows. */
const joinBlocks = (blocks: ReadonlyArray<QuadraticBlock>, newline: string): string => {
  const parts = blocks.flatMap((block, at) => {
    const tail = block.tail.map(piece => piece.raw).join('')
    const pieces = [...(block.head === null ? [] : [block.head]), ...block.units.flatMap(unit => unit.pieces)]
    const lines = pieces.map(piece => piece.raw)
    if (at === blocks.length - 1) return block.isLast ? [...lines, tail] : lines
    return [...lines, tail === '' && block.isLast && lines.length > 0 ? newline : tail]
  })
  return lineBroken(parts, newline)
}

const mergeText = (texts: Three<string>, stands: Side): QuadraticMergedFile => {
  const conflicts: Array<Conflict> = []
  const { base, ours, theirs } = texts
  const newline =
    takeChangedSide({ base: newlineOf(base), ours: newlineOf(ours), theirs: newlineOf(theirs) }) ??
    newlineOf(ours + theirs)
  const text = joinBlocks(mergeBlocksQuadratically(texts, stands, conflicts), newline)
  const open = (one: string): boolean => one !== '' && !one.endsWith('\n')
  const isOpen = takeChangedSide({ base: open(base), ours: open(ours), theirs: open(theirs) }) ?? false
  return { text: isOpen ? text.replace(/\r?\n$/, '') : endWithNewline(text, newline), conflicts }
}

const isLedger = (path: string): boolean => path.endsWith('.jsonl')
const isLore = (path: string): boolean => path.toLowerCase().endsWith('.md')

/**
 * Merges the three texts of a file of the lore (D30); null is a file that is absent, or not text. Markdown is
 * merged by block and row, ledgers by line, the lists of `.svc` by record; of any other file only one side
 * may have changed it. A file that both added has no base. `stands` is the side that wins where they
 * conflict: swapping the sides and `stands` gives the same text.
 */
export const mergeFileQuadratically = (
  path: string,
  texts: Three<string | null>,
  stands: Side,
): QuadraticMergedFile => {
  const kept = takeChangedSide(texts)
  if (kept !== undefined) return { text: kept, conflicts: [] }
  const { base, ours, theirs } = texts
  if (ours !== null && theirs !== null) {
    const rules = recordRules.get(path)
    const records =
      rules === undefined ? null : mergeRecordsQuadratically(rules, { base, ours, theirs }, stands)
    if (records !== null) return records
    const three = { base: base ?? '', ours, theirs }
    if (isLedger(path)) return { text: mergeLedgerQuadratically(three), conflicts: [] }
    if (isLore(path)) return mergeText(three, stands)
  }
  const cause = ours === null || theirs === null ? 'removed' : 'changed'
  return { text: texts[stands], conflicts: [{ block: null, row: null, cause }] }
}
