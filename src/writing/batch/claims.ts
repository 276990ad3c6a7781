import type { ChangeSet } from '#src/domain/lore/edits/change-set.js'
import { type FileEdit, overlap, type Splice } from '#src/domain/lore/edits/file-edit.js'

/** What the earlier writes of a batch take: a later one that meets it is planned again on what they leave. */
export interface Taken {
  readonly meets: (set: ChangeSet<unknown>) => boolean
  readonly take: (set: ChangeSet<unknown>) => void
}

type Hold = { readonly _tag: 'Whole' } | { readonly _tag: 'Lines'; readonly splices: ReadonlyArray<Splice> }

type TooLarge = (edit: FileEdit) => boolean

const isInsertion = ({ from, to }: Splice): boolean => to < from

/**
 * Whether edits of two writes may not be composed. Two insertions at one place may not: a row at the end of a block
 * belongs before a block that is added behind it, whichever write came first.
 */
const meet = (one: Splice, other: Splice): boolean =>
  overlap(one, other) || (one.from === other.from && isInsertion(one) && isInsertion(other))

const clash = (held: Hold | undefined, edit: FileEdit, isTooLarge: TooLarge): boolean => {
  if (held === undefined) return false
  if (held._tag === 'Whole' || edit._tag === 'Whole') return true
  if (edit.splices.some(one => held.splices.some(other => meet(one, other)))) return true
  return isTooLarge({ ...edit, splices: [...held.splices, ...edit.splices] })
}

const joined = (held: Hold | undefined, edit: FileEdit): Hold =>
  edit._tag === 'Whole' || held?._tag === 'Whole'
    ? { _tag: 'Whole' }
    : { _tag: 'Lines', splices: [...(held?.splices ?? []), ...edit.splices] }

/** Nothing taken yet. Edits that leave a file too large only together meet: the later is judged on what is there. */
export const nothingTaken = (isTooLarge: TooLarge): Taken => {
  const claims = new Set<string>()
  const files = new Map<string, Hold>()
  return {
    meets: set =>
      set.claims.some(claim => claims.has(claim)) ||
      set.edits.some(edit => clash(files.get(edit.path), edit, isTooLarge)),
    take: set => {
      for (const claim of set.claims) claims.add(claim)
      for (const edit of set.edits) files.set(edit.path, joined(files.get(edit.path), edit))
    },
  }
}
