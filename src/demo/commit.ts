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

/**
 * A file that only grows: its text after each piece is a prefix of its final text, so a long history costs
 * little memory.
 */
export interface Growing {
  readonly path: string
  /** The file with its first `count` pieces. */
  readonly upTo: (count: number) => Change
  readonly pieces: number
}

export const makeGrowing = (path: string, pieces: ReadonlyArray<string>): Growing => {
  const whole = pieces.join('')
  const ends = [0]
  for (const piece of pieces) ends.push((ends[ends.length - 1] ?? 0) + piece.length)
  return {
    path,
    pieces: pieces.length,
    upTo: count => ({ path, text: whole.slice(0, ends[Math.min(count, pieces.length)] ?? whole.length) }),
  }
}

/** Cuts a list into `count` runs of nearly equal length, in order; fewer when the list is shorter. */
export const splitEvenly = <A>(all: ReadonlyArray<A>, count: number): ReadonlyArray<ReadonlyArray<A>> => {
  const many = Math.max(1, Math.min(count, all.length))
  return Array.from({ length: many }, (_, at) =>
    all.slice(Math.floor((at * all.length) / many), Math.floor(((at + 1) * all.length) / many)),
  )
}
