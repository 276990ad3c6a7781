import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { refuse } from '#protocol/refusal.js'
import type { SearchHit, SearchPage, searchRoutes } from '#protocol/search.js'
import type { DocumentHead } from '#src/domain/search/document.js'
import {
  type QueryTerm,
  queryKnowledgeOf,
  queryTermsInSlices,
  readSearchQuery,
  type SearchQuery,
} from '#src/domain/search/query.js'
import { isOpenFilter, type RankedHit } from '#src/domain/search/ranking.js'
import {
  chooseTiers,
  hitOf,
  makeSnippetKeys,
  mergeHits,
  noSnippet,
  type SearchAsker,
  type SkippedTier,
  snippetOf,
  tiersOf,
} from '#src/domain/search/search-page.js'
import { type Asked, type Misses, missesFor } from '#src/domain/search/zero-results.js'
import { type Handlers, inSlices } from '#src/http/routing/handler.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { rankTiers } from './rank-tiers.js'
import { zeroResultPage } from './zero-result-page.js'

/** What the rows of search need where they are answered: the main thread, or a reader thread. */
export interface SearchPorts {
  readonly asker: SearchAsker
  /**
   * The text of a passage as it may be shown; null where its source is gone. Undefined where this thread cannot
   * read it and the main thread can. Never rejects.
   */
  readonly readPassage: (document: DocumentHead, snapshot: Snapshot) => Promise<string | null | undefined>
  /** Records whether a query found something; null where the main thread has to answer a query without hits. */
  readonly record: ((outcome: SearchOutcome) => Promise<void>) | null
}

/** What a query found, for the list of those that find nothing. */
export interface SearchOutcome extends Asked {
  readonly query: string
  readonly tiers: SearchPage['Searched']
  readonly total: number
  readonly commit: string | null
}

export interface SearchDeps {
  readonly search: SearchPorts
  readonly misses: () => Misses
}

const busy = 'The index was too slow or is being restarted. Try again after the seconds of Retry-After.'

/** The hits with their snippets, read one after the other; null where another thread has to read one. */
const showHits = async (
  ports: SearchPorts,
  snapshot: Snapshot,
  hits: ReadonlyArray<RankedHit>,
  terms: ReadonlyArray<QueryTerm>,
): Promise<ReadonlyArray<SearchHit> | null> => {
  const keys = makeSnippetKeys(new Set(terms.map(({ key }) => key)))
  const words = terms.map(({ word }) => word)
  const shown: Array<SearchHit> = []
  for (const hit of hits) {
    const passage = await ports.readPassage(hit.document, snapshot)
    if (passage === undefined) return null
    shown.push(hitOf(hit, words, passage === null ? noSnippet : snippetOf(passage, keys)))
  }
  return shown
}

/**
 * Whether the answer tells what the tiers have: with a bound, or without a tier whose index is not there yet, a
 * query may find nothing that has its texts.
 */
const isWholeAnswer = ({ filter }: SearchQuery, skipped: ReadonlyArray<SkippedTier>): boolean =>
  isOpenFilter(filter) && skipped.every(({ reason }) => reason !== 'starting' && reason !== 'failed')

/** Full text of the lore, of sessions, of transcripts and of the works tree (B 4.4). */
export const searchHandlers: Handlers<typeof searchRoutes, SearchDeps> = {
  'search.get': async ({ query, caller, snapshot, node, person, run }) => {
    if (node === null) return right({ elsewhere: true })
    const { search: ports } = node
    const read = readSearchQuery(query)
    if (isLeft(read)) return read
    const { text, scope, offset, limit } = read.right
    const chosen = chooseTiers(scope, caller.view, ports.asker.states())
    if (isLeft(chosen)) return chosen
    const terms = await run(queryTermsInSlices(text, queryKnowledgeOf(snapshot)))
    const ranked = await rankTiers(ports.asker, read.right, chosen.right.searched, terms)
    const { rankings, failed, total, isLowerBound } = ranked
    if (failed.length > 0 && (scope.isNamed || rankings.length === 0)) return left(refuse('Overloaded', busy))
    if (total === 0 && ports.record === null) return right({ elsewhere: true })
    const items = await showHits(ports, snapshot, mergeHits(rankings, limit), terms)
    if (items === null) return right({ elsewhere: true })
    const searched = rankings.map(({ tier }) => tier)
    const { commit, day } = snapshot
    const skipped = [...chosen.right.skipped, ...failed]
    if (isWholeAnswer(read.right, skipped))
      await ports.record?.({ query: text, tiers: searched, total, day, person: person(), commit })
    const body: SearchPage = {
      Query: text,
      Scope: scope.text,
      Searched: searched,
      Skipped: skipped.map(({ tier }) => tier),
      SkippedBecause: skipped,
      Count: items.length,
      Total: total,
      ...(isLowerBound ? { TotalIsLowerBound: true as const } : {}),
      Offset: offset,
      Limit: limit,
      Items: items,
    }
    if (failed.length > 0) return right({ body, isPassing: true })
    // A page that is kept would hide from the list how often its query is asked.
    return right({ body, ...(total === 0 ? { isUnkept: true } : {}) })
  },
  'search.zeroResults.list': ({ caller, snapshot, query, node }) => {
    const { gracz: person, view } = caller
    const misses = missesFor(node.misses(), { tiers: tiersOf(view), seesAll: view.logs, person })
    return right({ body: inSlices(zeroResultPage(snapshot, misses, query)) })
  },
}
