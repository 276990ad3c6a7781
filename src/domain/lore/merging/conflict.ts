/** The two versions of a merge beside its base: `ours` is this host's, `theirs` came from the remote. */
export type Side = 'ours' | 'theirs'

/**
 * A part that a merge cannot settle (D30): one row or line that both sides changed differently, that one side
 * changed and the other removed, or that both added where only one value is allowed at a time.
 */
export interface Conflict {
  /** Heading of the block; null above the first block and in files without blocks. */
  readonly block: string | null
  /** `@lokacja`, the label of an item, or the beginning of a line. Null for the whole block or file. */
  readonly row: string | null
  /** `too_large`: the file has more units than a merge accepts, so each side keeps its own version. */
  readonly cause: 'changed' | 'removed' | 'added' | 'too_large'
}

/** Three versions of one thing: the common base and the two sides. */
export interface Three<T> {
  readonly base: T
  readonly ours: T
  readonly theirs: T
}

/**
 * The result of a three-way merge that needs no look inside: the changed value when only one side changed,
 * the common one when both agree; undefined when they differ.
 */
export const takeChangedSide = <T>({ base, ours, theirs }: Three<T>): T | undefined =>
  ours === theirs || theirs === base ? ours : ours === base ? theirs : undefined
