import type { CommitId } from '#protocol/atoms.js'
import { InteractionId, type KeyedCommit } from '#protocol/chat/dispatch.js'

/** The effects of interactions in the history of `tip`. */
export interface EffectIndex {
  readonly tip: CommitId
  /** The commit of each effect by the id of its interaction. */
  readonly commits: ReadonlyMap<string, CommitId>
  /** The greatest id that was left out; null where the index has every id. */
  readonly leftOut: string | null
}

/** The most ids of an index, about 2 MiB. */
export const indexedIdsMax = 10_000

/** Compares two ids as numbers. Negative: `a` is the smaller one. An id has no leading zeros. */
const compareIds = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

/**
 * The index at `tip`: that of `base`, an ancestor of `tip` or null for none, and the commits which the
 * history of `base` does not have. Values that are no id are ignored. Of more than `idsMax` ids the greatest
 * stay: the ids of the platform grow with its own time, whatever the dates of the commits say.
 */
export const indexEffects = (
  tip: CommitId,
  base: EffectIndex | null,
  added: ReadonlyArray<KeyedCommit>,
  idsMax = indexedIdsMax,
): EffectIndex => {
  const commits = new Map(base?.commits)
  for (const { commit, keys } of added)
    for (const key of keys) if (InteractionId.is(key)) commits.set(key, commits.get(key) ?? commit)
  const leftOut = base?.leftOut ?? null
  if (commits.size <= idsMax) return { tip, commits, leftOut }
  const sorted = [...commits].sort(([a], [b]) => compareIds(b, a))
  return { tip, commits: new Map(sorted.slice(0, idsMax)), leftOut: sorted[idsMax]?.[0] ?? leftOut }
}

/** The commit of the effect; null where there is none; `LeftOut` where the index does not say. */
export const findIndexed = ({ commits, leftOut }: EffectIndex, id: string): CommitId | 'LeftOut' | null => {
  const commit = commits.get(id)
  if (commit !== undefined) return commit
  return leftOut !== null && compareIds(id, leftOut) <= 0 ? 'LeftOut' : null
}
