import type { RestartCause } from '#protocol/kernel/vocabulary.js'
import type { Orphans } from './actor/record.js'

/** What a child tells its supervisor. */
export interface ChildReport {
  readonly ready: () => void
  readonly faulted: (cause: RestartCause, error: unknown) => void
  readonly ended: () => void
}

/** A child of a supervisor: an actor, or another supervisor. */
export interface Child {
  readonly name: string
  /** Starts the next incarnation; reports come later, never from within this call. */
  readonly start: (readyMs: number, report: ChildReport) => void
  /** Ends the incarnation at once; keeps what waits for the next one, which is due after `delayMs`. */
  readonly supersede: (delayMs: number) => void
  /** Ends the child; what waits becomes dead letters. */
  readonly close: () => ReadonlyArray<Orphans>
  /** Refuses new messages, handles what waits for at most `limitMs`, then closes. */
  readonly drain: (limitMs: number) => Promise<ReadonlyArray<Orphans>>
}
