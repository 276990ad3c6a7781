import type { SearchHit } from '#protocol/search/search.js'
import type { Tier } from '#protocol/search/tier.js'
import type { RankedHit } from './ranking.js'

/** What one tier found. */
export interface TierRanking {
  readonly tier: Tier
  readonly hits: ReadonlyArray<RankedHit>
}

/** The kinds in the order in which they take turns: prose before speech. */
const turns: ReadonlyArray<Tier> = ['lore', 'session', 'external', 'speech']

/** The hits of the tiers on one page: the kinds take turns, each with its next best hit, until none has more. */
export const mergeHits = (
  rankings: ReadonlyArray<TierRanking>,
  offset: number,
  limit: number,
): ReadonlyArray<RankedHit> => {
  const lists = turns.flatMap(tier => rankings.filter(one => one.tier === tier).map(({ hits }) => hits))
  const merged: Array<RankedHit> = []
  const longest = Math.max(0, ...lists.map(list => list.length))
  for (let at = 0; at < longest && merged.length < offset + limit; at += 1)
    for (const list of lists) {
      const hit = list[at]
      if (hit !== undefined) merged.push(hit)
    }
  return merged.slice(offset, offset + limit)
}

const kinds: ReadonlySet<string> = new Set<Tier>(['lore', 'session', 'speech', 'external'])
const isKind = (kind: string): kind is Tier => kinds.has(kind)

const isDiegesis = (text: string | null): text is Exclude<SearchHit['diegesis'], null> =>
  text === 'in-game' || text === 'out-of-game' || text === 'mixed'

const isAuthority = (text: string): text is SearchHit['authority'] =>
  text === 'rada' || text === 'transcript' || text === 'tool' || text === 'player-ip' || text === 'external'

/** A hit as an answer shows it. `words` are those of the query, as the places of `matched` name them. */
export const shownHit = (
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
