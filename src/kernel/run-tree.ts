import type { Orphans } from './actor/record.js'
import type { Core } from './core.js'
import type { Child } from './supervision/child.js'
import type { Cancel } from './time/clock.js'

/** What the root reports when it gives up: the process should flush and exit with `exitCode` (D2). */
export interface GiveUp {
  readonly exitCode: 70
  readonly supervisor: string
  readonly error: unknown
}

export interface ActorTree {
  /** Resolves true once every child reported ready; false when the tree ended first. */
  readonly ready: Promise<boolean>
  /** Drains in reverse order; returns what was left over. */
  readonly drain: (limitMs: number) => Promise<ReadonlyArray<Orphans>>
  /** Ends at once. */
  readonly close: () => ReadonlyArray<Orphans>
}

/** Starts the root of a tree. Calls `stopWatch` when the tree has ended, whatever the reason. */
export const runTree = (
  core: Core,
  root: Child,
  onGiveUp: (notice: GiveUp) => void,
  stopWatch: Cancel,
): ActorTree => {
  let settleReady: (isReady: boolean) => void = () => undefined
  const ready = new Promise<boolean>(resolve => {
    settleReady = resolve
  })
  const finish = (): void => {
    stopWatch()
    settleReady(false)
  }
  root.start(Number.POSITIVE_INFINITY, {
    ready: () => settleReady(true),
    faulted: (_cause, error) => {
      root.close()
      finish()
      core.log({ event: 'gave_up', supervisor: root.name })
      onGiveUp({ exitCode: 70, supervisor: root.name, error })
    },
    ended: () => undefined,
  })
  return {
    ready,
    drain: async limitMs => {
      const orphans = await root.drain(limitMs)
      finish()
      return orphans
    },
    close: () => {
      const orphans = root.close()
      finish()
      return orphans
    },
  }
}
