/** Why nothing is committed, merged or published while HEAD names no branch, and what ends it. */
export const detachedWords =
  'HEAD is on no branch: end the rebase or bisect that is under way, or check out the branch'
