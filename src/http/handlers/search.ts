import { isLeft, left, map, right } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { nameKey, type Tier } from '#protocol/atoms.js'
import type {
  SearchHit,
  SearchIndexTier,
  SearchPage,
  searchIndexRoutes,
  searchRoutes,
  ZeroResult,
  ZeroResultPage,
} from '#protocol/lore/search.js'
import { refuse } from '#protocol/refusal.js'
import { nearestNamesInSlices } from '#src/domain/names/nearest.js'
import {
  hasTopicName,
  type QueryTerm,
  queryKnowledgeOf,
  queryTermsInSlices,
  readSearchQuery,
  type SearchQuery,
} from '#src/domain/search/query.js'
import { isOpenFilter, type RankQuestion, rankLimitMax } from '#src/domain/search/ranking.js'
import {
  chooseTiers,
  hitOf,
  makeSnippetKeys,
  mayShowTier,
  mergeHits,
  noSnippet,
  type RankAnswer,
  type SearchAsker,
  type SkippedTier,
  snippetOf,
  type TierRanking,
  type TierReading,
  type TierWindow,
  tiersOf,
  windowsOfPage,
} from '#src/domain/search/search-page.js'
import { isStopWord, wordsOf } from '#src/domain/search/words.js'
import { type Miss, missesFor } from '#src/domain/search/zero-results.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { type Handlers, inSlices } from '#src/http/routing/handler.js'
import type { Host, SearchPorts } from '#src/ports/host.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/** Full text of the lore, of sessions, of transcripts and of the works tree (B 4.4). */
export const searchHandlers: Handlers<typeof searchRoutes, Pick<Host, 'search' | 'misses'>> = {
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
    const items = await showHits(ports, snapshot, rankings, limit, terms)
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

/** The indexes of search (B 4.4). */
export const searchIndexHandlers: Handlers<
  typeof searchIndexRoutes,
  Pick<Host, 'jobs' | 'rebuildSearch' | 'searchReadings'>
> = {
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

/** Asks the tiers for the hits of one page. Tiers that give no ranking are listed as failed. */
export const rankTiers = async (
  asker: Ranker,
  query: SearchQuery,
  searched: SearchPage['Searched'],
  terms: ReadonlyArray<QueryTerm>,
): Promise<RankedTiers> => {
  const question = {
    terms: terms.map(({ key }) => key),
    covers: terms.map(({ covers }) => covers),
    filter: query.filter,
  }
  const { offset, limit } = query
  const answers =
    offset === 0
      ? await Promise.all(searched.map(tier => askWindow(asker, question, { tier, offset, limit })))
      : await askLaterPage(asker, question, query, searched)
  const rankings: Array<TierRanking> = []
  const failed: Array<SkippedTier> = []
  let [total, isLowerBound] = [0, false]
  for (const { tier, offset: from, answer } of answers)
    if (answer._tag === 'Ranked') {
      rankings.push({ tier, offset: from, hits: answer.hits })
      total += answer.total
      isLowerBound ||= answer.totalIsLowerBound
    } else failed.push({ tier, reason: answer._tag === 'Failed' ? 'failed' : 'starting' })
  return { rankings, failed, total, isLowerBound }
}

const busy = 'The index was too slow or is being restarted. Try again after the seconds of Retry-After.'

/**
 * The first hits of the rankings with their snippets, read one after the other; null where another thread has to
 * read one.
 */
export const showHits = async (
  ports: SearchPorts,
  snapshot: Snapshot,
  rankings: ReadonlyArray<TierRanking>,
  limit: number,
  terms: ReadonlyArray<QueryTerm>,
): Promise<ReadonlyArray<SearchHit> | null> => {
  const keys = makeSnippetKeys(new Set(terms.map(({ key }) => key)))
  const words = terms.map(({ word }) => word)
  const shown: Array<SearchHit> = []
  for (const hit of mergeHits(rankings, limit)) {
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

const rowOf = ({ isBuilding, trouble, ...reading }: TierReading): SearchIndexTier => ({
  ...reading,
  building: isBuilding,
  trouble:
    trouble === null
      ? null
      : { during: trouble.during, cause: trouble.cause, at: new Date(trouble.atMs).toISOString() },
})

/** What the tiers found: the hits of one page, and how many sources match in all. */
interface RankedTiers {
  readonly rankings: ReadonlyArray<TierRanking>
  readonly failed: ReadonlyArray<SkippedTier>
  readonly total: number
  readonly isLowerBound: boolean
}

interface Answered {
  readonly tier: Tier
  readonly offset: number
  readonly answer: RankAnswer
}

type Ranker = Pick<SearchAsker, 'rank'>
type WindowedQuestion = Omit<RankQuestion, 'offset' | 'limit'>

const askWindow = async (
  asker: Ranker,
  question: WindowedQuestion,
  { tier, offset, limit }: TierWindow,
): Promise<Answered> => ({ tier, offset, answer: await asker.rank(tier, { ...question, offset, limit }) })

/**
 * Asks the tiers for a page that is not the first: for their totals, then each tier that has hits on the page for
 * these hits alone, because every hit that a thread posts costs the thread that asks.
 */
const askLaterPage = async (
  asker: Ranker,
  question: WindowedQuestion,
  { offset, limit }: SearchQuery,
  searched: SearchPage['Searched'],
): Promise<ReadonlyArray<Answered>> => {
  const counted = await Promise.all(
    searched.map(tier => askWindow(asker, question, { tier, offset: 0, limit: 0 })),
  )
  const counts = counted.map(({ tier, answer }) => ({
    tier,
    count: answer._tag === 'Ranked' ? Math.min(rankLimitMax, answer.total) : 0,
  }))
  const windows = new Map(windowsOfPage(counts, offset, limit).map(one => [one.tier, one]))
  return Promise.all(
    counted.map(async one => {
      const window = windows.get(one.tier)
      return window === undefined || window.limit === 0 ? one : await askWindow(asker, question, window)
    }),
  )
}

const limitDefault = 20
const limitMax = 100
const nearestMax = 3

const nearestTexts = function* ({ names, entities }: Snapshot, text: string): Sliced<ReadonlyArray<string>> {
  const near = yield* nearestNamesInSlices(names, text, null, nearestMax)
  return near.filter(name => entities.byHeading.get(nameKey(name))?.some(hasTopicName) !== true)
}
const lookedUpWordsMax = 4

/** The names that are spelt nearly as the query, else as one of its words. */
const nearestTo = function* (snapshot: Snapshot, query: string): Sliced<ReadonlyArray<string>> {
  const whole = yield* nearestTexts(snapshot, query)
  if (whole.length > 0) return whole
  const near = new Set<string>()
  const words = [...wordsOf(query)].filter(({ text }) => text.length > 3 && !isStopWord(text))
  for (const { text } of words.slice(0, lookedUpWordsMax))
    for (const name of yield* nearestTexts(snapshot, text)) near.add(name)
  return [...near].slice(0, nearestMax)
}

/** A page of the queries that found nothing, with the names that may be meant. */
const zeroResultPage = function* (
  snapshot: Snapshot,
  misses: ReadonlyArray<Miss>,
  query: { readonly limit?: number | null | undefined; readonly offset?: number | undefined },
): Sliced<ZeroResultPage> {
  const [limit, offset] = [Math.min(query.limit ?? limitDefault, limitMax), query.offset ?? 0]
  const items: Array<ZeroResult> = []
  for (const { asker: _, ...miss } of misses.slice(offset, offset + limit)) {
    items.push({ ...miss, nearest: yield* nearestTo(snapshot, miss.query) })
    yield
  }
  return { count: items.length, total: misses.length, limit, offset, items }
}
