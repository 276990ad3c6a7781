import type { CommitId } from '../atoms/commit.js'

/** A merge of the forge: the commit of the source branch that it merged, and the commit that it made. */
export interface ForgeMerge {
  readonly tip: CommitId
  readonly commit: CommitId
}
