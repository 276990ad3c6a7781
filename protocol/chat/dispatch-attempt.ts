import type { CommitId } from '../atoms/commit.js'
import type { DispatchKind, DispatchVars } from './dispatch.js'

/** A run of an interaction: only the run that began it can end it. */
export interface DispatchRun {
  readonly id: string
  readonly run: number
}

/** An interaction that runs; `attempt` counts from 1. */
export interface DispatchAttempt extends DispatchRun {
  readonly kind: DispatchKind
  readonly vars: DispatchVars
  readonly attempt: number
  readonly deadlineMs: number
}

/** The end of an interaction: what its sender is told, and for the log why it did not succeed. */
export interface DispatchEnd {
  readonly state: 'enacted' | 'failed' | 'refused'
  readonly reason: string | null
  readonly answer: string | null
}

/** How an attempt ended. A held one did not begin, because the gate is closed or the lore is not read yet. */
export type DispatchOutcome =
  | { readonly _tag: 'Enacted'; readonly answer: string }
  | { readonly _tag: 'Refused'; readonly reason: string; readonly answer: string }
  | { readonly _tag: 'Failed'; readonly reason: string }
  | { readonly _tag: 'Held'; readonly reason: string }

/** The trailer of the commit that is the effect of a close or a report; its value is the interaction id. */
export const interactionTrailer = 'Svc-Interaction'

/** A commit with the values of its trailers `interactionTrailer`, unchecked. */
export interface KeyedCommit {
  readonly commit: CommitId
  readonly keys: ReadonlyArray<string>
}
