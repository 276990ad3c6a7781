import type { ChangeSet } from '#src/lore/change-set.js'
import { type FileEdit, overlap, type Splice } from '#src/lore/file-edit.js'

/** What the earlier writes of a batch take: a later one that meets it is planned again on what they leave. */
export interface Taken {
  readonly meets: (set: ChangeSet<unknown>) => boolean
  readonly take: (set: ChangeSet<unknown>) => void
}

type Hold = { readonly _tag: 'Whole' } | { readonly _tag: 'Lines'; readonly splices: ReadonlyArray<Splice> }

const clash = (held: Hold | undefined, edit: FileEdit): boolean => {
  if (held === undefined) return false
  if (held._tag === 'Whole' || edit._tag === 'Whole') return true
  return edit.splices.some(one => held.splices.some(other => overlap(one, other)))
}

const joined = (held: Hold | undefined, edit: FileEdit): Hold =>
  edit._tag === 'Whole' || held?._tag === 'Whole'
    ? { _tag: 'Whole' }
    : { _tag: 'Lines', splices: [...(held?.splices ?? []), ...edit.splices] }

/** Nothing taken yet. */
export const nothingTaken = (): Taken => {
  const claims = new Set<string>()
  const files = new Map<string, Hold>()
  return {
    meets: set =>
      set.claims.some(claim => claims.has(claim)) ||
      set.edits.some(edit => clash(files.get(edit.path), edit)),
    take: set => {
      for (const claim of set.claims) claims.add(claim)
      for (const edit of set.edits) files.set(edit.path, joined(files.get(edit.path), edit))
    },
  }
}
