/** A file as a commit leaves it. */
export interface Change {
  readonly path: string
  readonly text: string
}

/** A commit of a made-up history; `at` is an ISO instant in UTC, and the author is the committer too. */
export interface DemoCommit {
  readonly author: { readonly name: string; readonly email: string }
  readonly at: string
  readonly message: string
  readonly changes: ReadonlyArray<Change>
}
