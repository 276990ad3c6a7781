/** The two texts of a merge that are not its base: what this host has, and what came from the remote. */
export type Side = 'ours' | 'theirs'

/**
 * What a merge cannot settle (D30): one row or line that both sides changed to different things, that one changed and
 * the other removed, or that both added where one value stands at a time.
 */
export interface Conflict {
  /** Heading of the block; null above the first one and where the file has none. */
  readonly block: string | null
  /** `@lokacja`, the label of an item, or the beginning of a line. Null where the whole block or file is meant. */
  readonly row: string | null
  /** `too_large`: the file has more units than a merge takes on, and each side keeps its own. */
  readonly cause: 'changed' | 'removed' | 'added' | 'too_large'
}

/** The three texts of one thing. Null where that side has none. */
export interface Three<T> {
  readonly base: T
  readonly ours: T
  readonly theirs: T
}

/** The one that changed, where at most one did or both did alike; undefined where they differ. */
export const settled = <T>({ base, ours, theirs }: Three<T>): T | undefined =>
  ours === theirs || theirs === base ? ours : ours === base ? theirs : undefined
