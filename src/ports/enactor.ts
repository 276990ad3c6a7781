import type { DispatchKind } from '#protocol/chat/dispatch.js'
import type { DispatchAttempt, DispatchOutcome } from '#protocol/chat/dispatch-attempt.js'

/** The kinds that change the lore. */
export type EnactedKind = Exclude<DispatchKind, 'query'>

/**
 * Carries out closes and reports. The effect of an interaction is one commit with its key in it: the trailer
 * `Svc-Interaction` with the id or, for a close, the header of the session in the close ledger (S23).
 */
export interface Enactor {
  readonly kinds: ReadonlySet<DispatchKind>
  /**
   * Fetches the branch and looks for the key: the pipeline, or the host before a takeover, may have been first.
   * `Found` has the answer to the sender. Ends within `budgetMs`.
   */
  readonly findEffect: (
    attempt: DispatchAttempt,
    budgetMs: number,
    signal: AbortSignal,
  ) => Promise<
    | { readonly _tag: 'Found'; readonly answer: string }
    | { readonly _tag: 'Absent' }
    | { readonly _tag: 'Unreadable'; readonly reason: string }
  >
  /** Ends within `budgetMs`. */
  readonly enact: (
    attempt: DispatchAttempt,
    budgetMs: number,
    signal: AbortSignal,
  ) => Promise<DispatchOutcome>
}
