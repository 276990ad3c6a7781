/** A file after a commit. */
export interface Change {
  readonly path: string
  readonly text: string
}

/** A commit of an invented history; `at` is an ISO instant in UTC, and the author is also the committer. */
export interface DemoCommit {
  readonly author: { readonly name: string; readonly email: string }
  readonly at: string
  readonly message: string
  readonly changes: ReadonlyArray<Change>
}
