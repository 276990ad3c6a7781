import { bounds } from '#protocol/bounds.js'
import { boundExceeded, type RefusalOf } from '#protocol/refusal.js'
import { readFile } from '#src/entities/writing/target.js'
import { parseBlocks } from '#src/lore/blocks.js'
import { type FileEdit, spliced } from '#src/lore/file-edit.js'
import { perValue } from '#src/lore/per-value.js'
import type { SourceFile } from '#src/lore/source-file.js'
import { type FileRole, roleOf } from '../layout.js'
import type { Snapshot } from '../snapshot.js'

const { limit } = bounds.blockRows

/** Files whose blocks have rows that the whole corpus is made of. */
const bounded: ReadonlySet<FileRole> = new Set(['index', 'contributors'])

const rowCounts = perValue(
  (file: SourceFile): ReadonlyArray<number> => readFile(file).blocks.map(block => block.rows.length),
)

/** The blocks above the bound, by heading and rows, the longest first. */
const overlong = (text: string, path: FileEdit['path']) =>
  parseBlocks({ path, text })
    .blocks.map(({ heading, rows }) => ({ heading, rows: rows.length }))
    .filter(({ rows }) => rows > limit)
    .sort((one, other) => other.rows - one.rows)

/** The text after an edit; null where no block can have come above the bound, which most edits tell without a copy. */
const textAfter = (file: SourceFile | null, edit: FileEdit): string | null => {
  if (edit._tag === 'Whole') return edit.after
  if (file === null) return null
  const added = edit.splices.reduce((sum, { lines }) => sum + lines.length, 0)
  const most = rowCounts(file).reduce((largest, rows) => Math.max(largest, rows), 0)
  return most + added <= limit ? null : spliced(file.text, edit.splices)
}

/**
 * Why a write leaves a block with more rows than a block may have (D64). A block that is above the bound already takes
 * every write that does not make it longer. Of two writes to one block the later is planned on what the earlier leaves,
 * for both claim the block, so each is judged on the rows that are there.
 */
export const blockExceeds = (
  snapshot: Snapshot,
  edits: ReadonlyArray<FileEdit>,
): RefusalOf<'BoundExceeded'> | null => {
  for (const edit of edits) {
    if (!bounded.has(roleOf(edit.path))) continue
    const file = snapshot.files.get(edit.path) ?? null
    const text = textAfter(file, edit)
    if (text === null) continue
    const before = (file === null ? [] : rowCounts(file)).filter(rows => rows > limit)
    const known = [...before].sort((one, other) => other - one)
    const grown = overlong(text, edit.path).find(({ rows }, at) => rows > (known[at] ?? 0))
    if (grown !== undefined)
      return boundExceeded('blockRows', grown.rows, grown.heading, 'Remove rows that nothing needs first.')
  }
  return null
}
