import type { MissFile } from '#src/adapters/search/miss-file.js'
import { addMiss, missKey, solveMiss } from '#src/domain/search/zero-results.js'
import type { SearchPorts } from '#src/http/handlers/search.js'

/** Adds a query that found nothing to the list, and marks one of the list that now finds something. */
export const recordOutcomes =
  (file: MissFile): Exclude<SearchPorts['record'], null> =>
  ({ query, tiers, total, commit, ...asked }) =>
    file.change(misses =>
      total === 0
        ? addMiss(misses, query, tiers, asked)
        : solveMiss(misses, missKey(query, tiers), commit ?? 'unversioned'),
    )
