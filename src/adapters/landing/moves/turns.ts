/**
 * Tracks the running landing of this process: one at a time, without a queue. A look that takes no lock
 * compares the count to know whether a landing ran in between.
 */
export interface Turns {
  /**
   * Begins a landing; null while one is running. The returned function ends it, and does nothing the second
   * time.
   */
  readonly begin: () => (() => void) | null
  /** Whether a landing is running. */
  readonly isBusy: () => boolean
  /** How many landings have begun. */
  readonly count: () => number
  /** Resolves when no landing is running, at once or when the current one has ended. */
  readonly ended: () => Promise<void>
}

/** The turns of the landings of one checkout: at most one landing runs at a time. */
export const makeLandingTurns = (): Turns => {
  let begun = 0
  let current: { readonly over: Promise<void>; readonly end: () => void } | null = null
  return {
    begin: () => {
      if (current !== null) return null
      begun += 1
      let settle = (): void => undefined
      const over = new Promise<void>(resolve => {
        settle = resolve
      })
      const mine = { over, end: settle }
      current = mine
      return () => {
        if (current === mine) current = null
        mine.end()
      }
    },
    isBusy: () => current !== null,
    count: () => begun,
    ended: () => current?.over ?? Promise.resolve(),
  }
}
