import type { OnlinePlayer, PlayerKey } from '#protocol/people.js'

/** What the world's roster says about a player who is not in the ledger of players. */
export type OnlineAnswer =
  | { readonly _tag: 'Online'; readonly player: OnlinePlayer }
  /** `isRemembered`: an earlier fetch did not have the player either, so none was made for this question. */
  | { readonly _tag: 'Absent'; readonly isRemembered: boolean }
  /** The fetches of the sliding hour are used up: those of the host, or the share of who asks. */
  | { readonly _tag: 'Exhausted'; readonly of: 'host' | 'person'; readonly retryAfterMs: number }
  /** The roster could not be fetched, now or a moment ago, or too many ask at once. */
  | { readonly _tag: 'Away' }
  /** The disk refuses to record the fetch, so none was made. `code` is that of SQLite. */
  | { readonly _tag: 'DiskRefused'; readonly code: string }

/** Asks the roster of the world for a player; `person` is who asks, null for a bot. Never rejects. */
export type AskRoster = (sought: PlayerKey, person: string | null) => Promise<OnlineAnswer>

/** Whether a fetch may be made now. A taken one is recorded before this returns, and is on disk. */
export type FetchVerdict =
  | { readonly _tag: 'Taken'; readonly fetch: number }
  | Extract<OnlineAnswer, { readonly _tag: 'Exhausted' }>

/** The most fetches of one person in an hour: half of all, so that one person cannot use up all. */
export const rosterShareOf = (perHour: number): number => Math.max(1, Math.floor(perHour / 2))

/** The fetches of the roster in the last hour, which outlive the process. Throws where the disk refuses. */
export interface RosterFetches {
  /** `person` is whose share it is taken from as well; null for a bot, which has the whole budget. */
  readonly take: (perHour: number, nowMs: number, person: string | null) => FetchVerdict
  /** Gives back a taken fetch, which failed. */
  readonly giveBack: (fetch: number) => void
  /** Number of fetches in the hour before `nowMs`. */
  readonly count: (nowMs: number) => number
}
