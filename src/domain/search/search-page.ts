import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { dropLongMarks, type SearchEngine, type Tier, tiers } from '#protocol/atoms.js'
import type { SearchHit, SkipReason, TroubleCause, TroubleDuring } from '#protocol/lore/search.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { View } from '#src/domain/callers/caller.js'
import type { SearchScope } from './query.js'
import type { RankedHit, RankQuestion } from './ranking.js'
import { firstLettersOf, reduceWord } from './reduce-word.js'
import { findWordEnd, findWordStart, startsWithAny } from './words.js'

/** What one tier found. */
export interface TierRanking {
  readonly tier: Tier
  /** How many better hits the tier has before the first of `hits`. */
  readonly offset: number
  readonly hits: ReadonlyArray<RankedHit>
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

export const noSnippet: Snippet = { snippet: '', spans: [] }

export const makeSnippetKeys = (keys: ReadonlySet<string>): SnippetKeys => ({
  keys,
  mayMatch: startsWithAny(firstLettersOf(keys)),
})

/**
 * The part of a passage with the most words of the query, and where they are in it. Line breaks become blanks,
 * so that offsets stay.
 */
export const snippetOf = (passage: string, keys: SnippetKeys): Snippet => {
  const text = passage.slice(0, searchedChars).replace(/[\r\n\t]/gu, ' ')
  const spans = spansIn(text, keys)
  const from = cutBefore(text, bestStart(spans) - leadChars)
  const to = cutBefore(text, from + snippetChars)
  const end = to > from ? to : Math.min(text.length, from + snippetChars)
  return {
    snippet: text.slice(from, end),
    spans: spans
      .filter(span => span.start >= from && span.end <= end)
      .slice(0, spansMax)
      .map(span => ({ start: span.start - from, end: span.end - from })),
  }
}

export type TierStates = Readonly<Record<Tier, TierState>>

/** Whether a caller who may read entities may search a tier; an own-only capability never admits one. */
export const mayShowTier = (view: View, tier: Tier): boolean =>
  ({ lore: true, session: view.sessions, speech: view.logs, external: view.external })[tier]

/** The tiers that a caller who may read entities may search. */
export const tiersOf = (view: View): ReadonlyArray<Tier> => tiers.filter(tier => mayShowTier(view, tier))

export interface SkippedTier {
  readonly tier: Tier
  readonly reason: SkipReason
}

/**
 * Which tiers of a scope are searched for a caller: those that they hold the capability of and that have an
 * index. Refuses where they hold none, where a tier that they named has no index, and where no tier is left.
 */
export const chooseTiers = (
  scope: SearchScope,
  view: View,
  states: TierStates,
): Either<TierRefusal, TierChoice> => {
  const allowed = scope.tiers.filter(tier => mayShowTier(view, tier))
  if (allowed.length === 0)
    return left(
      refuse(
        'SearchScopeForbidden',
        `The caller may search none of these tiers: ${scope.tiers.join(', ')}.`,
        { tiers: scope.tiers },
      ),
    )
  const inState = (tag: TierState['_tag']): ReadonlyArray<Tier> =>
    allowed.filter(tier => states[tier]._tag === tag)
  const [searched, disabled, starting] = [inState('Live'), inState('Disabled'), inState('Starting')]
  if (disabled.length > 0 && (scope.isNamed || disabled.length === allowed.length))
    return left(refuseDisabled(disabled))
  if (starting.length > 0 && (scope.isNamed || searched.length === 0)) return left(refuseStarting(starting))
  const reasonOf = (tier: Tier): SkipReason =>
    disabled.includes(tier) ? 'disabled' : starting.includes(tier) ? 'starting' : 'forbidden'
  return right({
    searched,
    skipped: scope.tiers
      .filter(tier => !searched.includes(tier))
      .map(tier => ({ tier, reason: reasonOf(tier) })),
  })
}

/** The stamps of the indexes as a text: equal texts mean that the same indexes answer. */
export const indexKeyOf = (states: TierStates): string =>
  tiers
    .map(tier => {
      const state = states[tier]
      return state._tag === 'Live' ? state.stamp : state._tag
    })
    .join(' ')

/** An index or a thread of a tier that could not be used. */
export interface TierTrouble {
  readonly atMs: number
  readonly during: TroubleDuring
  readonly cause: TroubleCause
}

/** The state of one tier. */
export interface TierReading {
  readonly tier: Tier
  readonly state: 'disabled' | 'starting' | 'live'
  readonly isBuilding: boolean
  readonly engine: SearchEngine | null
  readonly stamp: string | null
  readonly documents: number
  /** Documents that changed since the main part was built. */
  readonly changes: number
  /** The last one; null where there was none since the start. */
  readonly trouble: TierTrouble | null
}

/**
 * What answers for a tier now: nothing, because the host does not index it; nothing yet; or an index.
 * `stamp` is that of the `TierContent` that the index holds.
 */
export type TierState =
  | { readonly _tag: 'Disabled' }
  | { readonly _tag: 'Starting' }
  | {
      readonly _tag: 'Live'
      readonly engine: SearchEngine
      readonly stamp: string
      readonly documents: number
    }

export type RankAnswer =
  | {
      readonly _tag: 'Ranked'
      /** The stamp of the index that ranked. */
      readonly stamp: string
      readonly hits: ReadonlyArray<RankedHit>
      readonly total: number
      readonly totalIsLowerBound: boolean
    }
  /** `server.search_index` does not name the tier. */
  | { readonly _tag: 'Disabled' }
  /** The first index is still built or loaded. */
  | { readonly _tag: 'Starting' }
  /** The thread of the tier ended twice over the question, or took too long. */
  | { readonly _tag: 'Failed'; readonly reason: 'ended' | 'late' | 'full' }

/** Asks the threads of the tiers. The main thread and every reader thread have one. Never rejects. */
export interface SearchAsker {
  readonly states: () => Readonly<Record<Tier, TierState>>
  readonly rank: (tier: Tier, question: RankQuestion) => Promise<RankAnswer>
  /** Registers a callback, which runs after each change of `states`. */
  readonly watch: (changed: () => void) => void
}

/** The kinds in the order in which they take turns: prose before speech. */
const turns: ReadonlyArray<Tier> = ['lore', 'session', 'external', 'speech']

/** How many hits a tier can return. */
interface TierCount {
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

const kinds: ReadonlySet<string> = new Set<Tier>(['lore', 'session', 'speech', 'external'])
const isKind = (kind: string): kind is Tier => kinds.has(kind)

const isDiegesis = (text: string | null): text is Exclude<SearchHit['diegesis'], null> =>
  text === 'in-game' || text === 'out-of-game' || text === 'mixed'

const isAuthority = (text: string): text is SearchHit['authority'] =>
  text === 'rada' || text === 'transcript' || text === 'tool' || text === 'player-ip' || text === 'external'

type Snippet = Pick<SearchHit, 'snippet' | 'spans'>

const snippetChars = 240
/** How much of the text before the first word of the query a snippet shows. */
const leadChars = 60
/** A passage is no longer than a section, so this bounds the work for a foreign one. */
const searchedChars = 8000
const spansMax = 32

interface Span {
  readonly start: number
  readonly end: number
}

/** The keys of a query, as `snippetOf` looks for them. */
interface SnippetKeys {
  readonly keys: ReadonlySet<string>
  /** Whether a word that starts at a place of a text may have one of the keys, by its first letter. */
  readonly mayMatch: (text: string, at: number) => boolean
}

const spansIn = (
  text: string,
  { keys, mayMatch }: SnippetKeys,
): ReadonlyArray<Span & { readonly key: string }> => {
  const spans: Array<Span & { readonly key: string }> = []
  let end = 0
  for (let start = findWordStart(text, 0); start < text.length; start = findWordStart(text, end)) {
    end = findWordEnd(text, start)
    // Most words cannot match, and need not be reduced.
    if (!mayMatch(text, start)) continue
    const key = reduceWord(dropLongMarks(text.slice(start, end).toLowerCase()).normalize('NFC'))
    if (keys.has(key)) spans.push({ start, end, key })
  }
  return spans
}

/** The first span of the window that holds the most different keys. */
const bestStart = (spans: ReadonlyArray<Span & { readonly key: string }>): number => {
  let [best, most] = [0, 0]
  for (const [at, { start }] of spans.entries()) {
    const seen = new Set<string>()
    for (
      let next = at;
      next < spans.length && (spans[next]?.end ?? 0) <= start + snippetChars - leadChars;
      next += 1
    )
      seen.add(spans[next]?.key ?? '')
    if (seen.size > most) [best, most] = [at, seen.size]
  }
  return spans[best]?.start ?? 0
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

/** The nearest place at or before `at` that cuts no character and, where one is near, no word. */
const cutBefore = (text: string, at: number): number => {
  if (at <= 0) return 0
  if (at >= text.length) return text.length
  const blank = text.slice(Math.max(0, at - 30), at).search(/\s\S*$/u)
  const cut = blank < 0 ? at : Math.max(0, at - 30) + blank + 1
  return isLowSurrogate(text.charCodeAt(cut)) ? cut - 1 : cut
}

interface TierChoice {
  readonly searched: ReadonlyArray<Tier>
  readonly skipped: ReadonlyArray<SkippedTier>
}

type TierRefusal = RefusalOf<'SearchScopeForbidden' | 'SearchIndexDisabled' | 'Starting'>

const configKey = 'server.search_index'

const refuseDisabled = (without: ReadonlyArray<Tier>): TierRefusal =>
  refuse(
    'SearchIndexDisabled',
    `This host has no index for ${without.join(', ')}. ` +
      `Add it to ${configKey} in .svc/config.json, commit, and start the host again.`,
    { tiers: without, key: configKey },
  )

const refuseStarting = (starting: ReadonlyArray<Tier>): TierRefusal =>
  refuse('Starting', `The index of ${starting.join(', ')} is being built. Try again in a few seconds.`)
