import { type Day, searchPageMax, searchPageShown } from '#protocol/atoms.js'
import type { OwnerName } from '#src/domain/entities/projection.js'
import { readFragmentInSlices } from '#src/domain/entities/references/fragment.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { EntityMatch } from './search-entities.js'

/** The part of a search that a page shows. */
export interface SearchWindow {
  readonly limit: number
  readonly offset: number
}

/** The window of a search: an unreadable limit is the default, a larger one the maximum (B 4.1). */
export const searchWindowOf = (query: {
  readonly limit: number | null | undefined
  readonly offset: number | undefined
}): SearchWindow => ({
  limit: Math.min(query.limit ?? searchPageShown, searchPageMax),
  offset: query.offset ?? 0,
})

/** How the projection of every entity ends, because only a search fills these fields. */
const unmatched = Buffer.from('"MatchedToken":null,"MatchStage":null}', 'utf8')

/** The projection of a match: that of the list of entities, with the two fields of a search. */
const itemOf = (fragment: Buffer, { token, stage }: EntityMatch): Buffer => {
  const end = fragment.length - unmatched.length
  if (end < 0 || !fragment.subarray(end).equals(unmatched))
    throw new Error('a projection of an entity does not end with the fields of a search')
  const matched = `"MatchedToken":${JSON.stringify(token)},"MatchStage":${JSON.stringify(stage)}}`
  return Buffer.concat([fragment.subarray(0, end), Buffer.from(matched, 'utf8')])
}

const comma = Buffer.from(',')

/** The page of a search as JSON. Yields between entities. */
export const searchPageInSlices = function* (
  query: string,
  all: ReadonlyArray<EntityMatch>,
  { limit, offset }: SearchWindow,
  { day, ownerOf }: { readonly day: Day; readonly ownerOf: OwnerName },
): Sliced<Buffer> {
  const shown = all.slice(offset, offset + limit)
  const [count, total] = [shown.length, all.length]
  const head = { query, count, total, offset, limit, truncated: count !== total }
  const parts: Array<Buffer> = [Buffer.from(`${JSON.stringify(head).slice(0, -1)},"items":[`, 'utf8')]
  for (const [at, match] of shown.entries()) {
    if (at > 0) parts.push(comma)
    parts.push(itemOf(yield* readFragmentInSlices(match.entity, day, day, ownerOf), match))
    yield
  }
  parts.push(Buffer.from(']}'))
  return Buffer.concat(parts)
}
