import type { Tier } from '#protocol/atoms.js'
import type { ReplyTo } from '#src/kernel/actor/ref.js'
import type { RebuildEnd } from './messages.js'

/** What the actor knows of one tier. Threads that rank are named by numbers, which are not used again. */
export interface TierTurn {
  /** The thread that answers; null while there is none. */
  readonly answering: number | null
  /** The thread that loads the newest saved index, or gets its first changes, to answer next. */
  readonly coming: number | null
  /** Whether the newest saved index was built from nothing and does not answer yet. */
  readonly isFresh: boolean
  /** Threads that changes are on their way to, and those of them for which newer ones wait. */
  readonly feeding: ReadonlyArray<number>
  readonly outdated: ReadonlyArray<number>
  readonly wants: 'merge' | 'fresh' | null
  /** Whether the next build waits for its time after a failure. */
  readonly isPaused: boolean
  /** Starts, and builds, in a row that failed. */
  readonly startStreak: number
  readonly buildStreak: number
}

export interface RunningBuild {
  readonly tier: Tier
  readonly build: number
  readonly isFresh: boolean
}

export interface AskedRebuild {
  readonly left: ReadonlyArray<Tier>
  readonly replyTo: ReplyTo<RebuildEnd>
}

export interface OpenTiers {
  readonly _tag: 'Open'
  readonly tiers: ReadonlyMap<Tier, TierTurn>
  readonly building: RunningBuild | null
  /** The last number given to a thread. */
  readonly last: number
  readonly asked: ReadonlyArray<AskedRebuild>
}

export type State = OpenTiers | { readonly _tag: 'Closing' }

export type Effect =
  | { readonly _tag: 'Reset' }
  | { readonly _tag: 'Close' }
  | { readonly _tag: 'Start'; readonly tier: Tier; readonly ranker: number }
  | { readonly _tag: 'Stop'; readonly tier: Tier; readonly ranker: number }
  | { readonly _tag: 'Feed'; readonly tier: Tier; readonly ranker: number }
  /** From now on this thread answers; the one before it ends with its last answer. */
  | { readonly _tag: 'Promote'; readonly tier: Tier; readonly ranker: number }
  | ({ readonly _tag: 'Build' } & RunningBuild)

export const freshTurn: TierTurn = {
  answering: null,
  coming: null,
  isFresh: false,
  feeding: [],
  outdated: [],
  wants: null,
  isPaused: false,
  startStreak: 0,
  buildStreak: 0,
}

export const turnOf = (state: OpenTiers, tier: Tier): TierTurn => state.tiers.get(tier) ?? freshTurn

export const withTurn = (state: OpenTiers, tier: Tier, change: Partial<TierTurn>): OpenTiers => ({
  ...state,
  tiers: new Map(state.tiers).set(tier, { ...turnOf(state, tier), ...change }),
})

export const without = (list: ReadonlyArray<number>, one: number): ReadonlyArray<number> =>
  list.filter(other => other !== one)
