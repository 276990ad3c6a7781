import { type Either, isLeft, map, right } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { RefusalOf } from '#protocol/refusal.js'
import type { SearchIndexTier, SearchRebuilt, searchIndexRoutes } from '#protocol/search.js'
import { mayShowTier, type TierReading } from '#src/domain/search/search-page.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { Jobs } from './jobs.js'

/** Builds every configured tier from nothing; resolves when each new index answers, or with why one does not. */
export type RebuildSearch = () => Promise<Either<RefusalOf<'Overloaded'>, SearchRebuilt>>

export interface SearchIndexDeps {
  readonly jobs: Pick<Jobs, 'start'>
  readonly searchReadings: () => ReadonlyArray<TierReading>
  readonly rebuildSearch: RebuildSearch
}

const rowOf = ({ isBuilding, trouble, ...reading }: TierReading): SearchIndexTier => ({
  ...reading,
  building: isBuilding,
  trouble:
    trouble === null
      ? null
      : { during: trouble.during, cause: trouble.cause, at: new Date(trouble.atMs).toISOString() },
})

/** The indexes of search (B 4.4). */
export const searchIndexHandlers: Handlers<typeof searchIndexRoutes, SearchIndexDeps> = {
  'search.index.get': ({ node, caller }) =>
    right({
      body: {
        tiers: node
          .searchReadings()
          .filter(({ tier }) => mayShowTier(caller.view, tier))
          .map(rowOf),
      },
    }),
  'search.index.rebuild': async ({ node, query, dryRun }) => {
    if (dryRun) {
      const configured = node.searchReadings().filter(({ state }) => state !== 'disabled')
      return right({ body: { tiers: configured.map(({ tier }) => tier) } })
    }
    if (query.async === true) {
      const started = await node.jobs.start('search.index.rebuild', { _tag: 'RebuildSearch' })
      return isLeft(started) ? started : right({ body: started.right, status: 202 })
    }
    return pipe(
      await node.rebuildSearch(),
      map(body => ({ body })),
    )
  },
}
