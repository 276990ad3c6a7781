import { type Either, map } from 'fp-ts/lib/Either.js'
import type { Refusal } from '#protocol/refusal.js'
import { SearchRebuilt } from '#protocol/search.js'
import type { SearchIndexDeps } from '#src/http/handlers/search.js'
import type { TellProgress } from '#src/ports/records.js'

export type RebuildParts = Pick<SearchIndexDeps, 'rebuildSearch'>

/** Builds the search indexes; its result is the answer of `POST /search/index/rebuild`. */
export const performRebuild = async (
  { rebuildSearch }: RebuildParts,
  progress: TellProgress,
): Promise<Either<Refusal, unknown>> => {
  progress({ done: 0, total: 1, detail: 'build the indexes' })
  return map(SearchRebuilt.encode)(await rebuildSearch())
}
