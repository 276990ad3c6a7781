import type { ChangeSet } from '#src/domain/lore/changes.js'
import { type FileEdit, hasOverlap, type Splice } from '#src/domain/lore/file-edit.js'

/**
 * The claims and edits of the earlier writes of a batch. The gate plans a later write that conflicts with
 * them again, on their result.
 */
export interface TakenClaims {
  readonly meets: (set: ChangeSet<unknown>) => boolean
  readonly take: (set: ChangeSet<unknown>) => void
}

type Hold = { readonly _tag: 'Whole' } | { readonly _tag: 'Lines'; readonly splices: ReadonlyArray<Splice> }

type TooLarge = (edit: FileEdit) => boolean

const isInsertion = ({ from, to }: Splice): boolean => to < from

/**
 * Whether edits of two writes cannot be composed. Two insertions at one place cannot: a row at the end of a
 * block must come before a block that is added after it, whichever write came first.
 */
const meet = (one: Splice, other: Splice): boolean =>
  hasOverlap(one, other) || (one.from === other.from && isInsertion(one) && isInsertion(other))

const clash = (held: Hold | undefined, edit: FileEdit, isTooLarge: TooLarge): boolean => {
  if (held === undefined) return false
  if (held._tag === 'Whole' || edit._tag === 'Whole') return true
  if (edit.splices.some(one => held.splices.some(other => meet(one, other)))) return true
  return isTooLarge({ ...edit, splices: [...held.splices, ...edit.splices] })
}

const joinHolds = (held: Hold | undefined, edit: FileEdit): Hold =>
  edit._tag === 'Whole' || held?._tag === 'Whole'
    ? { _tag: 'Whole' }
    : { _tag: 'Lines', splices: [...(held?.splices ?? []), ...edit.splices] }

/**
 * An empty set of claims and edits. Two edits that only together make a file too large conflict, so that the
 * later one is judged on the file as the earlier one leaves it.
 */
export const nothingTaken = (isTooLarge: TooLarge): TakenClaims => {
  const claims = new Set<string>()
  const files = new Map<string, Hold>()
  return {
    meets: set =>
      set.claims.some(claim => claims.has(claim)) ||
      set.edits.some(edit => clash(files.get(edit.path), edit, isTooLarge)),
    take: set => {
      for (const claim of set.claims) claims.add(claim)
      for (const edit of set.edits) files.set(edit.path, joinHolds(files.get(edit.path), edit))
    },
  }
}
