import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { ChangeSet } from '#src/domain/lore/edits/change-set.js'
import type { FileEdit } from '#src/domain/lore/edits/file-edit.js'
import { bytesAfter } from '#src/domain/lore/file-size.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { refuseClosedEffects } from '../sessions/closed-session-guard.js'
import { blockExceeds } from './block-bounds.js'

/**
 * A check of a planned write before anything is written; a text is why it is rejected, null lets it pass. One that
 * throws rejects with what it threw: a check that cannot tell lets nothing pass (A 4.1.1, A 7).
 */
export interface BeforeWrite {
  readonly name: string
  readonly check: (snapshot: Snapshot, set: ChangeSet<unknown>) => string | null
}

/** The largest text that a write may leave in a file, a BOM aside: what is larger is not read (`FileTooLarge`). */
export const writtenBytesMax = 8 * 1024 * 1024 - 3

const stateFolder = '.svc/state/'

const isPrivate = (path: string): boolean => `${path.normalize('NFC').toLowerCase()}/`.startsWith(stateFolder)

const staleEdit = (snapshot: Snapshot, edit: FileEdit): boolean =>
  edit._tag === 'Lines' && snapshot.files.get(edit.path)?.blob !== edit.before

/** No write reaches the private state area: it is not of the lore, and git does not see it. */
const statePaths: BeforeWrite = {
  name: 'state-paths',
  check: (_, set) => {
    const inside = set.edits.find(edit => isPrivate(edit.path))
    return inside === undefined ? null : `${inside.path} lies in the private state area.`
  },
}

/** Lines are edited in the file's own bytes, which must be text. */
const editableText: BeforeWrite = {
  name: 'editable-text',
  check: (snapshot, set) => {
    const broken = set.edits.find(
      edit => edit._tag === 'Lines' && snapshot.files.get(edit.path)?.undecodable === true,
    )
    return broken === undefined
      ? null
      : `${broken.path} is not UTF-8; save it as UTF-8, commit, then try again.`
  },
}

/** One edit a file, made on the file that is served. */
const wholeEdits: BeforeWrite = {
  name: 'whole-edits',
  check: (snapshot, set) => {
    const stale = set.edits.find(edit => staleEdit(snapshot, edit))
    if (stale !== undefined) return `${stale.path} changed while the write was planned.`
    const paths = new Set(set.edits.map(edit => edit.path))
    return paths.size === set.edits.length ? null : 'The write edits one file twice.'
  },
}

/** A file that is too large to be read is no absent one: a plan that takes it for that would replace it. */
const unreadFiles: BeforeWrite = {
  name: 'left-out',
  check: (snapshot, set) => {
    const unread = set.edits.find(edit => snapshot.leftOut.has(edit.path))
    return unread === undefined
      ? null
      : `${unread.path} is too large to be read, alone or with the rest of the tree; commit a smaller one.`
  },
}

/** Whether an edit would leave a file behind that is not read any more, and all that stands in it with it. */
export const leavesTooLarge = (snapshot: Snapshot, edit: FileEdit): boolean =>
  bytesAfter(snapshot.files.get(edit.path) ?? null, edit, writtenBytesMax) > writtenBytesMax

const sizes: BeforeWrite = {
  name: 'file-size',
  check: (snapshot, set) => {
    const large = set.edits.find(edit => leavesTooLarge(snapshot, edit))
    return large === undefined ? null : `${large.path} would be larger than 8 MiB; split it.`
  },
}

/** The checks that every host makes. */
export const builtInHooks: ReadonlyArray<BeforeWrite> = [
  statePaths,
  unreadFiles,
  editableText,
  wholeEdits,
  sizes,
]

const reasonOf = (check: () => string | null): string | null => {
  try {
    return check()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The first rejection, as the answer tells it. */
export const rejected = (
  hooks: ReadonlyArray<BeforeWrite>,
  snapshot: Snapshot,
  set: ChangeSet<unknown>,
): RefusalOf<'WriteRejected'> | null => {
  for (const { name, check } of hooks) {
    const reason = reasonOf(() => check(snapshot, set))
    if (reason !== null) return refuse('WriteRejected', reason, { hook: name })
  }
  return null
}

/** Why a planned write may not be committed, by the checks of the host and by the rules that bind every row. */
export const refuseChange = (
  hooks: ReadonlyArray<BeforeWrite>,
  snapshot: Snapshot,
  set: ChangeSet<unknown>,
): RefusalOf<'WriteRejected' | 'SessionClosed' | 'BoundExceeded'> | null =>
  rejected(hooks, snapshot, set) ??
  refuseClosedEffects(snapshot, set.edits) ??
  blockExceeds(snapshot, set.edits)
