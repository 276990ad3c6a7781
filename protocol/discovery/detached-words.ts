/** Why the daemon commits, merges and publishes nothing while HEAD names no branch, and what to do. */
export const detachedWords =
  'HEAD is on no branch: end the rebase or bisect that is under way, or check out the branch'
