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

const backoffFirstMs = 200
const backoffMsMax = 30_000
const jitter = 0.2

/** 200 ms · 2^n up to 30 s, give or take 20 %; `chance` in [0, 1). */
export const backoffMs = (streak: number, chance: number): number =>
  Math.round(
    Math.min(backoffMsMax, backoffFirstMs * 2 ** Math.min(streak, 20)) * (1 - jitter + 2 * jitter * chance),
  )

/** The restarts of one child that still count at `nowMs`, this one included. */
export const restartsWithin = (
  earlierMs: ReadonlyArray<number>,
  nowMs: number,
  windowMs: number,
): ReadonlyArray<number> => [...earlierMs.filter(atMs => nowMs - atMs < windowMs), nowMs]

/** Whether the fault of the child at `faulted` takes the child at `index` down with it. */
export const isAffected = (strategy: Strategy, faulted: number, index: number): boolean => {
  switch (strategy) {
    case 'one_for_one':
      return index === faulted
    case 'rest_for_one':
      return index >= faulted
    case 'one_for_all':
      return true
  }
}
