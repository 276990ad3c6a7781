import type { Three } from '#src/lore/merging/conflict.js'
import type { ConflictedPath } from './git-words.js'

/** A file of a commit. */
export interface ListedPath {
  readonly path: string
  readonly mode: string
  readonly blob: string
}

/** Reads what `git ls-tree -z` prints of files. */
export const listedPaths = (output: string): ReadonlyArray<ListedPath> =>
  output.split('\0').flatMap(line => {
    const [, mode, blob, path] = /^(\d{6}) blob ([0-9a-f]{40})\t([\s\S]+)$/.exec(line) ?? []
    return mode === undefined || blob === undefined || path === undefined ? [] : [{ path, mode, blob }]
  })

/** Files that both sides have and that are to none of them what they were. */
export const changedByBoth = ({
  base,
  ours,
  theirs,
}: Three<ReadonlyArray<ListedPath>>): ReadonlyArray<ConflictedPath> =>
  ours.flatMap(({ path, mode, blob }) => {
    const other = theirs.find(one => one.path === path)
    const before = base.find(one => one.path === path)?.blob ?? null
    const differ = other !== undefined && blob !== other.blob && blob !== before && other.blob !== before
    return differ ? [{ path, mode, base: before, ours: blob, theirs: other.blob }] : []
  })
