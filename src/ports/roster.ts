import type { OnlinePlayer, PlayerKey } from '#protocol/people/online-player.js'

/** What the world's roster says about a player who is not in the ledger of players. */
export type OnlineAnswer =
  | { readonly _tag: 'Online'; readonly player: OnlinePlayer }
  /** `isRemembered`: an earlier fetch did not have the player either, so none was made for this question. */
  | { readonly _tag: 'Absent'; readonly isRemembered: boolean }
  /** The fetches of the sliding hour are used up. */
  | { readonly _tag: 'Exhausted'; readonly retryAfterMs: number }
  /** The roster could not be fetched, or too many ask at once. Nothing is remembered of that. */
  | { readonly _tag: 'Away' }
  /** The disk refuses to record the fetch, so none was made. `code` is that of SQLite. */
  | { readonly _tag: 'DiskRefused'; readonly code: string }

/** Asks the roster of the world for a player. Never rejects. */
export type AskRoster = (sought: PlayerKey) => Promise<OnlineAnswer>

/** Whether a fetch may be made now. A taken one is recorded before this returns, and is on disk. */
export type FetchVerdict =
  | { readonly _tag: 'Taken' }
  | { readonly _tag: 'Exhausted'; readonly retryAfterMs: number }

/** The fetches of the roster in the last hour, which outlive the process. Throws where the disk refuses. */
export interface RosterFetches {
  readonly take: (perHour: number, nowMs: number) => FetchVerdict
  /** Number of fetches in the hour before `nowMs`. */
  readonly count: (nowMs: number) => number
}
