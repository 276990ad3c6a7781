import type { RestartCause } from '#protocol/host/kernel.js'
import type { Orphans } from '../actor/record.js'

/** What a child reports to its supervisor. */
export interface ChildReport {
  readonly ready: () => void
  readonly faulted: (cause: RestartCause, error: unknown) => void
  readonly ended: () => void
}

/** A child of a supervisor: an actor, or another supervisor. */
export interface Child {
  readonly name: string
  /** Starts the next incarnation. Calls `report` later, never within this call. */
  readonly start: (readyMs: number, report: ChildReport) => void
  /** Ends the incarnation at once and keeps the mailbox for the next one, which is due after `delayMs`. */
  readonly supersede: (delayMs: number) => void
  /** Ends the child; waiting messages become dead letters. Returns what was left over. */
  readonly close: () => ReadonlyArray<Orphans>
  /**
   * Refuses new messages, handles the waiting ones for at most `limitMs`, then closes. Returns what was left
   * over.
   */
  readonly drain: (limitMs: number) => Promise<ReadonlyArray<Orphans>>
}
