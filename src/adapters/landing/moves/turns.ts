/**
 * Which landing of this process is under way: one at a time, and none waits in a queue for the one before it. A look
 * that takes no lock tells by the count whether a landing came in between.
 */
export interface Turns {
  /** Begins a landing; null while one is under way. The result ends it, and does nothing the second time. */
  readonly begin: () => (() => void) | null
  /** Whether one is under way. */
  readonly isBusy: () => boolean
  /** How many have begun. */
  readonly count: () => number
  /** Resolves when none is under way, at once or when the one that is has ended. */
  readonly ended: () => Promise<void>
}

export const openTurns = (): Turns => {
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
