import type { CommitId } from '#protocol/atoms/commit.js'

/**
 * What the remote did to the branch since this host saw it last: nothing that a fast-forward could not do (`Forward`,
 * also at the first look), another history (`Rewritten`, also a branch that was wound back), or removed it (`Gone`).
 */
export type TipVerdict = 'Forward' | 'Rewritten' | 'Gone'

/**
 * Compares the tip of the remote with the one that was seen last; null: none was seen, or the remote has no such
 * branch. A host integrates and publishes only after `Forward`: a merge with what the remote took back would publish
 * it again.
 */
export const judgeTip = async (
  seen: CommitId | null,
  tip: CommitId | null,
  isAncestor: (commit: CommitId, of: CommitId) => Promise<boolean>,
): Promise<TipVerdict> => {
  if (seen === null || seen === tip) return 'Forward'
  if (tip === null) return 'Gone'
  return (await isAncestor(seen, tip)) ? 'Forward' : 'Rewritten'
}
