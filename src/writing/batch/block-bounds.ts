import { bounds } from '#protocol/bounds.js'
import { type RefusalOf, refuseBoundExceeded } from '#protocol/refusal.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { blocksOf, findReachedBlocks, type ReachedBlocks } from '#src/domain/lore/blocks.js'
import type { FileEdit, Splice } from '#src/domain/lore/file-edit.js'
import { type FileRole, roleOf, type SourceFile } from '#src/domain/lore/layout.js'
import type { Block } from '#src/domain/lore/row-change.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { readFile } from '../entities/target.js'

const { limit } = bounds.blockRows

/** Files of blocks whose rows make up the whole corpus. */
const bounded: ReadonlySet<FileRole> = new Set(['index', 'contributors'])

const longestBlock = perValue((file: SourceFile): number =>
  readFile(file).blocks.reduce((largest, { rows }) => Math.max(largest, rows.length), 0),
)

const isOverlong = ({ rows }: Block): boolean => rows.length > limit

const byRows = (one: Block, other: Block): number => other.rows.length - one.rows.length

/**
 * The first block that is above the bound and larger than the block of the same rank before the edit; null
 * when there is none. Both lists are sorted by size.
 */
const findGrownBlock = ({ before, after }: ReachedBlocks): Block | null => {
  const known = before.filter(isOverlong).sort(byRows)
  const found = after.filter(isOverlong).sort(byRows)
  return found.find(({ rows }, at) => rows.length > (known[at]?.rows.length ?? 0)) ?? null
}

/**
 * Whether an edit cannot bring any block of a file above the bound. A cheap test that spares most edits a
 * look at the lines.
 */
const isFarBelow = (file: SourceFile, splices: ReadonlyArray<Splice>): boolean => {
  const added = splices.reduce((sum, { lines }) => sum + lines.length, 0)
  return longestBlock(file) + added <= limit
}

const blocksReachedBy = (file: SourceFile | null, edit: FileEdit): ReadonlyArray<ReachedBlocks> => {
  if (edit._tag === 'Lines')
    return file === null || isFarBelow(file, edit.splices)
      ? []
      : findReachedBlocks(file, readFile(file).lines, edit.splices)
  const { path, after } = edit
  if (after === null) return []
  return [{ before: file === null ? [] : blocksOf(file), after: blocksOf({ path, text: after }) }]
}

/**
 * Refuses a write that leaves a block with more rows than a block may have (D64). A block that is already
 * above the bound accepts writes that do not make it longer. Two writes to one block share a claim, so the
 * gate plans the later one on the result of the earlier one and this check sees the rows that are there.
 */
export const blockExceeds = (
  snapshot: Snapshot,
  edits: ReadonlyArray<FileEdit>,
): RefusalOf<'BoundExceeded'> | null => {
  for (const edit of edits) {
    if (!bounded.has(roleOf(edit.path))) continue
    const file = snapshot.files.get(edit.path) ?? null
    const grown = blocksReachedBy(file, edit)
      .flatMap(reached => findGrownBlock(reached) ?? [])
      .at(0)
    if (grown !== undefined)
      return refuseBoundExceeded(
        'blockRows',
        grown.rows.length,
        grown.heading,
        'Remove rows that are not needed first.',
      )
  }
  return null
}
