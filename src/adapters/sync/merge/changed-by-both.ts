import type { NamedRow } from '#src/adapters/git/named-rows.js'
import type { Three } from '#src/domain/lore/merging/units.js'
import type { ConflictedPath } from '../remote/git-words.js'

/** Rows by path; the first one of a path that is listed twice. */
const indexByPath = (rows: ReadonlyArray<NamedRow>): ReadonlyMap<string, NamedRow> => {
  const index = new Map<string, NamedRow>()
  for (const row of rows) {
    const { path } = row
    if (!index.has(path)) index.set(path, row)
  }
  return index
}

/** Files that both sides have and that they changed, or added, differently. */
export const findChangedByBoth = ({
  base,
  ours,
  theirs,
}: Three<ReadonlyArray<NamedRow>>): ReadonlyArray<ConflictedPath> => {
  const [bases, others] = [indexByPath(base), indexByPath(theirs)]
  return ours.flatMap(({ path, mode, id }) => {
    const other = others.get(path)
    const before = bases.get(path)?.id ?? null
    const differ = other !== undefined && id !== other.id && id !== before && other.id !== before
    return differ ? [{ path, mode, base: before, ours: id, theirs: other.id }] : []
  })
}
