import type { RestartKind, Strategy } from '#protocol/host/kernel.js'

/**
 * How one child restarts and drains. An absent field falls back to the supervisor's, or to the defaults
 * below.
 */
export interface ChildPolicy {
  readonly restart: RestartKind
  /** How long a drain may take; what is left after it is orphaned. */
  readonly drainMs: number
  /** This child's own budget: more than `restartsMax` restarts within `windowMs` exceed it. */
  readonly restartsMax?: number
  readonly windowMs?: number
  /** How long an incarnation may take to report ready. */
  readonly readyMs?: number
  /**
   * What happens when the budget is exceeded: the supervisor fails too (default), or only this child stays
   * down.
   */
  readonly onGiveUp?: 'escalate' | 'abandon'
}

export interface ChildSpec<Id extends string> extends ChildPolicy {
  readonly id: Id
}

/**
 * A supervisor without its children. Each child may restart `restartsMax` times in `windowMs`, counted by
 * itself.
 */
export interface SupervisorPolicy {
  readonly id: string
  readonly strategy: Strategy
  readonly restartsMax: number
  readonly windowMs: number
}

/**
 * A supervisor as data. `children` are in order of dependency: each starts after the one before reported
 * ready; they drain in reverse order.
 */
export interface SupervisorSpec<Id extends string> extends SupervisorPolicy {
  readonly children: ReadonlyArray<ChildSpec<Id>>
}

export const readyMsDefault = 30_000
