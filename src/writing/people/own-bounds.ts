import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { bounds } from '#protocol/bounds.js'
import { type RefusalOf, refuseBoundExceeded } from '#protocol/refusal.js'
import type { OwnScope } from '#src/domain/identity/readable.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import type { FileEdit } from '#src/domain/lore/file-edit.js'
import { bytesOfLines, type FileRole, roleOf, textBytes } from '#src/domain/lore/layout.js'
import { newlineOf } from '#src/domain/lore/lines.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

type Refused = RefusalOf<'BoundExceeded'>

/** Roles of the files that hold what a player writes. */
const ownRoles: ReadonlySet<FileRole> = new Set<FileRole>(['index', 'character', 'draft'])

/** Upper bound of the bytes by which an edit lengthens a player's files; negative when it shortens them. */
const growthOf = ({ files }: Snapshot, edit: FileEdit): number => {
  if (!ownRoles.has(roleOf(edit.path))) return 0
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

/**
 * Refuses another Postać to a caller limited to their own when the player has as many as allowed; null when
 * there is room.
 */
export const oneMoreExceeds = (scope: OwnScope | null): Refused | null => {
  const characters = scope === null ? 0 : scope.blocks.length + 1
  return characters <= bounds.ownCharacters.limit
    ? null
    : refuseBoundExceeded('ownCharacters', characters, null, 'Ask a narrator to create this one.')
}

/** What one player wrote, as `ownBytes` counts it. */
export interface OwnLore {
  /** The same for every write of the player. */
  readonly key: string
  /** Bytes of UTF-8 in the snapshot that the write is planned on. */
  readonly bytes: () => number
  /** What to do when there is no room: the sentence of the refusal. */
  readonly mend: string
}

/**
 * Limits a write to what one player may have in blocks, files and reports (D64). A write that makes nothing
 * longer always passes. The added claim keeps two writes of one player from being planned on one snapshot,
 * where together they could exceed the limit.
 */
export const withinOwnBounds = (
  snapshot: Snapshot,
  { key, bytes: standing, mend }: OwnLore,
  set: ChangeSet<unknown>,
): Either<Refused, ChangeSet<unknown>> => {
  if (set.edits.length === 0) return right(set)
  const growth = set.edits.reduce((sum, edit) => sum + growthOf(snapshot, edit), 0)
  const bytes = growth <= 0 ? 0 : standing() + growth
  return bytes > bounds.ownBytes.limit
    ? left(refuseBoundExceeded('ownBytes', bytes, null, mend))
    : right({ ...set, claims: [...set.claims, `own:${key}`] })
}
