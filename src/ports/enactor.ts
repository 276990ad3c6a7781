import type { CommitId } from '#protocol/atoms.js'
import type { DispatchAttempt, DispatchKind, DispatchOutcome } from '#protocol/chat/dispatch.js'

/** The kinds that change the lore. */
export type EnactedKind = Exclude<DispatchKind, 'query'>

/**
 * Carries out closes and reports. The effect is one commit with the trailer `Svc-Interaction` of the id
 * (S23), published as a fast-forward of the branch in which `FindEffect` found none: if the branch has moved
 * since, the attempt fails, and the next one looks again. `FindEffect` does not see a commit that this host
 * has not published; the enactor must look for that itself.
 */
export interface Enactor {
  readonly kinds: ReadonlySet<DispatchKind>
  /** Ends within `budgetMs`. Called only where `FindEffect` found no effect of the interaction. */
  readonly enact: (
    attempt: DispatchAttempt,
    budgetMs: number,
    signal: AbortSignal,
  ) => Promise<DispatchOutcome>
}

/** Whether the fetched branch has the effect of an interaction, and in which commit. */
export type EffectFinding =
  | { readonly _tag: 'Found'; readonly commit: CommitId }
  | { readonly _tag: 'Absent' }
  | { readonly _tag: 'Unreadable'; readonly reason: string }

/**
 * Fetches the branch within `budgetMs` and looks for the effect of an interaction: the pipeline, or the host
 * before a takeover, may have been first. Never rejects.
 */
export type FindEffect = (id: string, budgetMs: number, signal: AbortSignal) => Promise<EffectFinding>
