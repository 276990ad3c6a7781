import type { ForgeOutcome } from '#protocol/forge/answer.js'
import type { ForgeCall } from '#protocol/forge/call.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import type { TopologyFence } from '../fence.js'

/** The branch of a takeover as it was fetched. */
export interface FetchedClaim {
  readonly commit: string
  /** The apex of its file; null where the file cannot be read. */
  readonly apex: string | null
  /** Whether the followed branch has the commit already. */
  readonly isMerged: boolean
  /** Whether it changes the file of the fleet and no other. */
  readonly isPlain: boolean
}

/** The remote after a fetch, and the towns as this host sees them at that moment. */
export interface FetchedFleet {
  /** The followed branch and its commit. */
  readonly branch: string
  readonly tip: string
  /** Null where the branch has no file of the fleet. */
  readonly topology: { readonly fence: TopologyFence; readonly file: SourceFile } | null
  /** Null where the remote has no such branch. */
  readonly claim: FetchedClaim | null
  /** The towns that are eligible and seen alive. */
  readonly candidates: ReadonlyArray<string>
}

/** A commit that changes the file of the fleet, on top of `parent`, with the dates of `parent`. */
export interface ClaimCommit {
  readonly branch: string
  readonly parent: string
  /** The whole file. */
  readonly text: string
  readonly message: string
}

/** One effect of a takeover. Each can be repeated: it first meets what an earlier attempt did. */
export type TakeoverAction =
  | { readonly _tag: 'Fetch'; readonly claimBranch: string }
  | { readonly _tag: 'ProbeApex'; readonly town: string }
  | { readonly _tag: 'PushClaim'; readonly claim: ClaimCommit }
  | { readonly _tag: 'CallForge'; readonly call: ForgeCall }
  | { readonly _tag: 'Converge' }

export type ProbeResult = 'answers' | 'silent' | 'not_sent'

/**
 * What an action brings. `Beaten`: the branch has another commit, and nothing was pushed. `PushUnknown`: the push
 * may have arrived. `isFinal`: a repetition cannot help, such as without access.
 */
export type TakeoverOutcome =
  | { readonly _tag: 'Fetched'; readonly found: FetchedFleet }
  | { readonly _tag: 'FetchFailed'; readonly detail: string; readonly isFinal: boolean }
  | { readonly _tag: 'Probed'; readonly result: ProbeResult }
  | { readonly _tag: 'Pushed'; readonly commit: string }
  | { readonly _tag: 'Beaten' }
  | { readonly _tag: 'PushUnknown'; readonly detail: string }
  | { readonly _tag: 'PushFailed'; readonly detail: string; readonly isFinal: boolean }
  | { readonly _tag: 'Answered'; readonly outcome: ForgeOutcome }
  | { readonly _tag: 'Converged' }
