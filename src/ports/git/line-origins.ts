import type { CommitId } from '#protocol/atoms.js'

/** A line of a committed file without its newline, and the commit that added it. */
export interface LineOrigin {
  readonly commit: CommitId
  readonly line: string
}

/** The commit that added each line of a file as it is in commit `at`; empty where history does not say. */
export type LineOrigins = (at: CommitId, path: string) => Promise<ReadonlyArray<LineOrigin>>
