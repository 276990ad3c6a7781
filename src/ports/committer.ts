import type { Either } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms/commit.js'
import type { FileChange } from '#src/lore/file-change.js'

/** One commit to make: `parent` is what the branch must still point at. */
export interface CommitDraft {
  readonly parent: CommitId | null
  readonly changes: ReadonlyArray<FileChange>
  readonly message: string
  readonly author: { readonly name: string; readonly email: string }
  readonly atMs: number
}

export type CommitFailure =
  | { readonly _tag: 'Dirty'; readonly files: ReadonlyArray<string> }
  | { readonly _tag: 'Moved' }
  | { readonly _tag: 'Failed'; readonly reason: string }

/** Makes one commit of a change set, moves the branch by compare-and-swap and refreshes the files it changed. */
export type Committer = (draft: CommitDraft) => Promise<Either<CommitFailure, CommitId>>
