import type { ClaimCommit, FetchedClaims } from '#protocol/fleet/takeover.js'
import type { ForgeCall, ForgeOutcome } from '#protocol/forge.js'

/** What the forge said of the cooldown. `unknown`: nothing yet. `refused`: it denies this host its requests. */
export type CooldownWord = 'over' | 'runs' | 'unknown' | 'refused'

/** The remote after a fetch, and the towns as this host sees them at that moment. */
export interface FetchedFleet extends Omit<FetchedClaims, '_tag'> {
  /** The towns that are eligible and seen alive. */
  readonly candidates: ReadonlyArray<string>
  readonly cooldown: CooldownWord
}

/** One effect of a takeover. Each can be repeated: it first meets what an earlier attempt did. */
export type TakeoverAction =
  | { readonly _tag: 'Fetch'; readonly claimBranch: string }
  /** Asks the apex, or the town that is about to become it, for its card. */
  | { readonly _tag: 'ProbeTown'; readonly town: string }
  | { readonly _tag: 'PushClaim'; readonly claim: ClaimCommit }
  | { readonly _tag: 'CallForge'; readonly call: ForgeCall }
  | { readonly _tag: 'Converge' }

export type TownProbe = 'answers' | 'silent' | 'not_sent'

/**
 * What an action brings. `Beaten`: the branch has another commit, and nothing was pushed. `PushUnknown`: the push
 * may have arrived. `isFinal`: a repetition cannot help, such as without access.
 */
export type TakeoverOutcome =
  | { readonly _tag: 'Fetched'; readonly found: FetchedFleet }
  | { readonly _tag: 'FetchFailed'; readonly detail: string; readonly isFinal: boolean }
  | { readonly _tag: 'Probed'; readonly result: TownProbe }
  | { readonly _tag: 'Pushed'; readonly commit: string }
  | { readonly _tag: 'Beaten' }
  | { readonly _tag: 'PushUnknown'; readonly detail: string }
  | { readonly _tag: 'PushFailed'; readonly detail: string; readonly isFinal: boolean }
  | { readonly _tag: 'Answered'; readonly outcome: ForgeOutcome }
  | { readonly _tag: 'Converged' }
