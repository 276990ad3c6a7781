import type { RestartKind, Strategy } from '#protocol/kernel/vocabulary.js'

/** How one child restarts and drains. What is absent is taken from the supervisor or from the defaults below. */
export interface ChildPolicy {
  readonly restart: RestartKind
  /** How long a drain may take before what is left is orphaned. */
  readonly drainMs: number
  /** This child's own budget: more than `restartsMax` restarts within `windowMs` exceed it. */
  readonly restartsMax?: number
  readonly windowMs?: number
  /** How long an incarnation may take to report ready. */
  readonly readyMs?: number
  /** What an exceeded budget means: the supervisor fails too (default), or this child stays down and others go on. */
  readonly onGiveUp?: 'escalate' | 'abandon'
}

export interface ChildSpec<Id extends string> extends ChildPolicy {
  readonly id: Id
}

/** A supervisor without its children. Each child has the budget of `restartsMax` restarts in `windowMs` by itself. */
export interface SupervisorPolicy {
  readonly id: string
  readonly strategy: Strategy
  readonly restartsMax: number
  readonly windowMs: number
}

/**
 * A supervisor as data. The order of `children` is the order of dependency: started in it, each after the one before
 * reported ready, drained in reverse.
 */
export interface SupervisorSpec<Id extends string> extends SupervisorPolicy {
  readonly children: ReadonlyArray<ChildSpec<Id>>
}

export const readyMsDefault = 30_000
