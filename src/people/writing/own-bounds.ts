import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { bounds } from '#protocol/bounds.js'
import { boundExceeded, type RefusalOf } from '#protocol/refusal.js'
import { roleOf } from '#src/corpus/layout.js'
import type { Snapshot } from '#src/corpus/snapshot.js'
import type { OwnScope } from '#src/identity/rights/own-scope.js'
import type { ChangeSet } from '#src/lore/change-set.js'
import type { FileEdit } from '#src/lore/file-edit.js'
import { textBytes } from '#src/lore/file-size.js'
import { bytesOfLines } from '#src/lore/line-bytes.js'
import { newlineOf } from '#src/lore/lines.js'
import { bytesOfCharacters } from '../own-lore.js'

type Refused = RefusalOf<'BoundExceeded'>

/** Bytes that an edit adds to blocks and character files, less what it takes away; never fewer than they are. */
const growthOf = ({ files }: Snapshot, edit: FileEdit): number => {
  const role = roleOf(edit.path)
  if (role !== 'index' && role !== 'character') return 0
  const file = files.get(edit.path)
  if (edit._tag === 'Whole')
    return Buffer.byteLength(edit.after ?? '') - (file === undefined ? 0 : textBytes(file))
  const text = file?.text ?? ''
  const newline = newlineOf(text).length
  const added = edit.splices
    .flatMap(({ lines }) => lines)
    .reduce((sum, line) => sum + Buffer.byteLength(line) + newline, 0)
  return added - bytesOfLines(text, edit.splices)
}

/** Refuses one more Postać to an own-only caller who has as many as a player may; null where there is room. */
export const oneMoreExceeds = (scope: OwnScope | null): Refused | null => {
  const characters = scope === null ? 0 : scope.blocks.length + 1
  return characters <= bounds.ownCharacters.limit
    ? null
    : boundExceeded('ownCharacters', characters, null, 'Ask a narrator to make this one.')
}

/**
 * Holds a write of an own-only caller to what one player may have in blocks and files (D64). A write that makes
 * nothing longer passes, whatever there is. The claim keeps two writes of one player from being planned on one
 * snapshot: together they could exceed what each keeps.
 */
export const withinOwnBounds = (
  snapshot: Snapshot,
  scope: OwnScope,
  set: ChangeSet<unknown>,
): Either<Refused, ChangeSet<unknown>> => {
  if (scope.person === null || set.edits.length === 0) return right(set)
  const growth = set.edits.reduce((sum, edit) => sum + growthOf(snapshot, edit), 0)
  const bytes = growth <= 0 ? 0 : bytesOfCharacters(snapshot, scope.blocks) + growth
  return bytes > bounds.ownBytes.limit
    ? left(boundExceeded('ownBytes', bytes, null, 'Remove what is not needed, or ask a narrator.'))
    : right({ ...set, claims: [...set.claims, `own:${scope.person.key}`] })
}
