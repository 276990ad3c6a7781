import { bounds } from '#protocol/bounds.js'
import { type RefusalOf, refuse, refuseBoundExceeded } from '#protocol/refusal.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { blocksOf, findReachedBlocks, type ReachedBlocks } from '#src/domain/lore/blocks.js'
import { type ChangeSet, treeOf } from '#src/domain/lore/changes.js'
import type { FileEdit, Splice } from '#src/domain/lore/file-edit.js'
import {
  bytesAfter,
  bytesMaxOf,
  type FileRole,
  isEnactedLedger,
  mebibytesMaxOf,
  roleOf,
  type SourceFile,
} from '#src/domain/lore/layout.js'
import type { Block } from '#src/domain/lore/rows/row-change.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { readFile } from '../entities/entity-change.js'
import { refuseClosedEffects, rejectDoubtfulEffects } from '../sessions/closed-session-guard.js'

/**
 * A check of a planned write before anything is written. `check` returns the reason for a rejection, or null
 * to accept. A check that throws rejects the write with its error: without a verdict no write passes (A
 * 4.1.1, A 7).
 */
export interface BeforeWrite {
  readonly name: string
  readonly check: (snapshot: Snapshot, set: ChangeSet<unknown>) => string | null
}

/**
 * The largest text that a write may leave at a path, in bytes without a BOM. The daemon does not read larger files
 * (`FileTooLarge`).
 */
export const writtenBytesMaxOf = (path: string): number => bytesMaxOf(path) - 3

/** Whether an edit would make a file of the lore too large to be read, with everything in it. */
export const leavesTooLarge = ({ files }: Pick<Snapshot, 'files'>, edit: FileEdit): boolean =>
  isTooLarge(files.get(edit.path) ?? null, edit)

const isTooLarge = (file: SourceFile | null, edit: FileEdit): boolean =>
  bytesAfter(file, edit, writtenBytesMaxOf(edit.path)) > writtenBytesMaxOf(edit.path)

const stateFolder = '.svc/state/'

const isPrivate = (path: string): boolean => `${path.normalize('NFC').toLowerCase()}/`.startsWith(stateFolder)

/** The edits whose files are in the snapshot: it has no file of another tree. */
const editsOfLore = (set: ChangeSet<unknown>): ReadonlyArray<FileEdit> =>
  treeOf(set) === 'lore' ? set.edits : []

const staleEdit = (snapshot: Snapshot, edit: FileEdit): boolean =>
  edit._tag === 'Lines' && snapshot.files.get(edit.path)?.blob !== edit.before

/** Rejects writes to the private state area: it does not belong to the lore, and git ignores it. */
const statePaths: BeforeWrite = {
  name: 'state-paths',
  check: (_, set) => {
    const inside = set.edits.find(edit => isPrivate(edit.path))
    return inside === undefined ? null : `${inside.path} is in the private state area. Name another path.`
  },
}

/** Rejects line edits of a file that is not UTF-8, because splices work on its text. */
const editableText: BeforeWrite = {
  name: 'editable-text',
  check: (snapshot, set) => {
    const broken = editsOfLore(set).find(
      edit => edit._tag === 'Lines' && snapshot.files.get(edit.path)?.undecodable === true,
    )
    return broken === undefined
      ? null
      : `${broken.path} is not UTF-8; save it as UTF-8, commit, then try again.`
  },
}

/** Allows one edit a file, made on the file that is served. */
const wholeEdits: BeforeWrite = {
  name: 'whole-edits',
  check: (snapshot, set) => {
    const stale = editsOfLore(set).find(edit => staleEdit(snapshot, edit))
    if (stale !== undefined) return `${stale.path} changed while the write was planned. Try again.`
    const paths = new Set(set.edits.map(edit => edit.path))
    return paths.size === set.edits.length ? null : 'The write changes one file twice.'
  },
}

/**
 * Rejects edits of a file that is too large to be read. Its plan treats the file as absent and would replace
 * it.
 */
const unreadFiles: BeforeWrite = {
  name: 'left-out',
  check: (snapshot, set) => {
    const unread = editsOfLore(set).find(edit => snapshot.leftOut.has(edit.path))
    return unread === undefined
      ? null
      : `${unread.path} is too large to be read, alone or with the rest of the tree; commit a smaller one.`
  },
}

const sizes: BeforeWrite = {
  name: 'file-size',
  check: (snapshot, set) => {
    const isOfLore = treeOf(set) === 'lore'
    const large = set.edits.find(edit => (isOfLore ? leavesTooLarge(snapshot, edit) : isTooLarge(null, edit)))
    if (large === undefined) return null
    const mend = isEnactedLedger(large.path)
      ? 'Take the rows out that kronika doctor calls repeated.'
      : 'Split it into two files.'
    return `${large.path} would be larger than ${mebibytesMaxOf(large.path)} MiB. ${mend}`
  },
}

/** Rejects changes of effects of a session while a ledger does not say whether it is closed. */
const knownClosings: BeforeWrite = {
  name: 'known-closings',
  check: (snapshot, set) => rejectDoubtfulEffects(snapshot, set.edits),
}

/** The checks that every host runs. */
export const builtInHooks: ReadonlyArray<BeforeWrite> = [
  statePaths,
  unreadFiles,
  editableText,
  wholeEdits,
  sizes,
  knownClosings,
]

/** The first rejection, as a refusal for the answer. */
export const findRejection = (
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

/**
 * Why a planned write may not be committed: by the checks of the host or by the rules that bind every row.
 * Null when it may.
 */
export const refuseChange = (
  hooks: ReadonlyArray<BeforeWrite>,
  snapshot: Snapshot,
  set: ChangeSet<unknown>,
): RefusalOf<'WriteRejected' | 'SessionClosed' | 'BoundExceeded'> | null =>
  findRejection(hooks, snapshot, set) ??
  refuseClosedEffects(snapshot, editsOfLore(set)) ??
  blockExceeds(snapshot, editsOfLore(set))

const reasonOf = (check: () => string | null): string | null => {
  try {
    return check()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

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
const blockExceeds = (
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
