import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { bounds } from '#protocol/bounds.js'
import { boundExceeded, type RefusalOf } from '#protocol/refusal.js'
import type { OwnScope } from '#src/domain/identity/rights/own-scope.js'
import type { ChangeSet } from '#src/domain/lore/edits/change-set.js'
import type { FileEdit } from '#src/domain/lore/edits/file-edit.js'
import { textBytes } from '#src/domain/lore/file-size.js'
import { type FileRole, roleOf } from '#src/domain/lore/layout.js'
import { bytesOfLines } from '#src/domain/lore/lines/line-bytes.js'
import { newlineOf } from '#src/domain/lore/lines/lines.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

type Refused = RefusalOf<'BoundExceeded'>

/** Roles of the files that hold what a player writes. */
const ownRoles: ReadonlySet<FileRole> = new Set<FileRole>(['index', 'character', 'draft'])

/** Bytes that an edit adds to what a player writes, less what it takes away; never fewer than they are. */
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

/** Refuses one more Postać to an own-only caller who has as many as a player may; null where there is room. */
export const oneMoreExceeds = (scope: OwnScope | null): Refused | null => {
  const characters = scope === null ? 0 : scope.blocks.length + 1
  return characters <= bounds.ownCharacters.limit
    ? null
    : boundExceeded('ownCharacters', characters, null, 'Ask a narrator to make this one.')
}

/** What one player wrote, as `ownBytes` counts it. */
export interface OwnLore {
  /** The same for every write of the player. */
  readonly key: string
  /** Bytes of UTF-8 as of the snapshot that is planned on. */
  readonly bytes: () => number
  /** What to do where there is no room: the sentence of the refusal. */
  readonly mend: string
}

/**
 * Holds a write to what one player may have in blocks, files and reports (D64). A write that makes nothing longer
 * passes, whatever there is. The claim keeps two writes of one player from being planned on one snapshot: together they
 * could exceed what each keeps.
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
    ? left(boundExceeded('ownBytes', bytes, null, mend))
    : right({ ...set, claims: [...set.claims, `own:${key}`] })
}
