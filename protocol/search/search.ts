import * as t from 'io-ts'
import { Day } from '../atoms/day.js'
import { Tier } from './tier.js'

/** What a hit is part of, as `diegesis` of a works document states it. */
export const diegeses = ['in-game', 'out-of-game', 'mixed'] as const
export type Diegesis = (typeof diegeses)[number]

/** How far a text binds the host; it caps what the machine may assert, never what counts as evidence (B 4.4). */
export const searchAuthorities = ['rada', 'transcript', 'tool', 'player-ip', 'external'] as const

const textOrNull = t.union([t.string, t.null])
const numberOrNull = t.union([t.number, t.null])

/** Where a word of the query is in a snippet, in UTF-16 units; `end` exclusive. */
export const MatchedSpan = t.type({ start: t.number, end: t.number }, 'MatchedSpan')

export const SearchHit = t.type(
  {
    kind: Tier,
    source: t.string,
    title: t.string,
    header: textOrNull,
    line: numberOrNull,
    date: textOrNull,
    authority: t.keyof({ rada: null, transcript: null, tool: null, 'player-ip': null, external: null }),
    diegesis: t.union([t.keyof({ 'in-game': null, 'out-of-game': null, mixed: null }), t.null]),
    score: t.number,
    matched: t.readonlyArray(t.string),
    snippet: t.string,
    spans: t.readonlyArray(MatchedSpan),
  },
  'SearchHit',
)
export type SearchHit = Readonly<t.TypeOf<typeof SearchHit>>

/** Why a tier of the scope is not searched for a caller. */
export const skipReasons = ['forbidden', 'disabled', 'starting', 'failed'] as const
export const SkipReason = t.keyof(
  { forbidden: null, disabled: null, starting: null, failed: null },
  'SkipReason',
)
export type SkipReason = t.TypeOf<typeof SkipReason>

const SkippedTier = t.type({ tier: Tier, reason: SkipReason }, 'SkippedTier')

export const SearchPage = t.intersection(
  [
    t.type({
      Query: t.string,
      Scope: t.string,
      Searched: t.readonlyArray(Tier),
      Skipped: t.readonlyArray(Tier),
      SkippedBecause: t.readonlyArray(SkippedTier),
      Count: t.number,
      Total: t.number,
      Offset: t.number,
      Limit: t.number,
      Items: t.readonlyArray(SearchHit),
    }),
    t.partial({ TotalIsLowerBound: t.literal(true) }),
  ],
  'SearchPage',
)
export type SearchPage = Readonly<t.TypeOf<typeof SearchPage>>

export const ZeroResult = t.type(
  {
    query: t.string,
    tiers: t.readonlyArray(Tier),
    count: t.number,
    firstAt: Day,
    lastAt: Day,
    nearest: t.readonlyArray(t.string),
    solvedBy: textOrNull,
  },
  'ZeroResult',
)
export type ZeroResult = Readonly<t.TypeOf<typeof ZeroResult>>

export const ZeroResultList = t.type(
  {
    count: t.number,
    total: t.number,
    limit: t.number,
    offset: t.number,
    items: t.readonlyArray(ZeroResult),
  },
  'ZeroResultList',
)
export type ZeroResultPage = Readonly<t.TypeOf<typeof ZeroResultList>>
