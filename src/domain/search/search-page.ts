import type { Tier } from '#protocol/atoms.js'
import type { SearchHit } from '#protocol/search.js'
import type { RankedHit } from './ranking.js'

/** What one tier found. */
export interface TierRanking {
  readonly tier: Tier
  /** How many better hits the tier has before the first of `hits`. */
  readonly offset: number
  readonly hits: ReadonlyArray<RankedHit>
}

/** The kinds in the order in which they take turns: prose before speech. */
const turns: ReadonlyArray<Tier> = ['lore', 'session', 'external', 'speech']

/** How many hits a tier can return. */
export interface TierCount {
  readonly tier: Tier
  readonly count: number
}

/** How many of the first `place` hits of the merged list each tier gives, in the order of `turns`. */
const countTaken = (counts: ReadonlyArray<number>, place: number): ReadonlyArray<number> => {
  const taken = counts.map(() => 0)
  let left = place
  for (let round = 0; left > 0 && counts.some(count => count > round); round += 1)
    for (const [at, count] of counts.entries()) {
      if (count <= round || left === 0) continue
      taken[at] = round + 1
      left -= 1
    }
  return taken
}

/** The part of the hits of a tier that is on a page. */
export interface TierWindow {
  readonly tier: Tier
  readonly offset: number
  readonly limit: number
}

/** The hits of each tier that a page of the merged list has. A tier without any has a window with limit 0. */
export const windowsOfPage = (
  counts: ReadonlyArray<TierCount>,
  offset: number,
  limit: number,
): ReadonlyArray<TierWindow> => {
  const inTurn = turns.flatMap(tier => counts.filter(one => one.tier === tier))
  const lengths = inTurn.map(({ count }) => count)
  const [first, end] = [countTaken(lengths, offset), countTaken(lengths, offset + limit)]
  return inTurn.map(({ tier }, at) => {
    const from = first[at] ?? 0
    return { tier, offset: from, limit: (end[at] ?? 0) - from }
  })
}

/**
 * The hits of one page: the kinds take turns, each with its next best hit, until none has more. Each ranking has the
 * hits of its tier from the first one on the page.
 */
export const mergeHits = (rankings: ReadonlyArray<TierRanking>, limit: number): ReadonlyArray<RankedHit> => {
  const inTurn = turns.flatMap(tier => rankings.filter(one => one.tier === tier))
  return inTurn
    .flatMap(({ offset, hits }, turn) => hits.map((hit, at) => ({ hit, turn, round: offset + at })))
    .sort((one, other) => one.round - other.round || one.turn - other.turn)
    .slice(0, limit)
    .map(({ hit }) => hit)
}

const kinds: ReadonlySet<string> = new Set<Tier>(['lore', 'session', 'speech', 'external'])
const isKind = (kind: string): kind is Tier => kinds.has(kind)

const isDiegesis = (text: string | null): text is Exclude<SearchHit['diegesis'], null> =>
  text === 'in-game' || text === 'out-of-game' || text === 'mixed'

const isAuthority = (text: string): text is SearchHit['authority'] =>
  text === 'rada' || text === 'transcript' || text === 'tool' || text === 'player-ip' || text === 'external'

/** A hit as an answer shows it. `words` are those of the query, as the places of `matched` name them. */
export const hitOf = (
  { document, score, matched }: RankedHit,
  words: ReadonlyArray<string>,
  { snippet, spans }: Pick<SearchHit, 'snippet' | 'spans'>,
): SearchHit => ({
  kind: isKind(document.kind) ? document.kind : 'lore',
  source: document.kind === 'session' ? document.path : document.source,
  title: document.title,
  header: document.header,
  line: document.line,
  date: document.day?.from ?? null,
  authority: isAuthority(document.authority) ? document.authority : 'external',
  diegesis: isDiegesis(document.diegesis) ? document.diegesis : null,
  score,
  matched: [...new Set(matched.flatMap(at => words[at] ?? []))],
  snippet,
  spans,
})
