/** Limits work that costs a child process: a few at a time, and a few more in a queue. */
export interface HistoryTurns {
  /** Resolves to the function that ends the turn; null where the queue is full. */
  readonly take: () => Promise<(() => void) | null>
}

/** At most `atOnce` turns at a time; at most `waitingMax` callers wait for one. */
export const makeHistoryTurns = (atOnce: number, waitingMax: number): HistoryTurns => {
  let taken = 0
  const waiting: Array<() => void> = []
  const giveBack = (): (() => void) => {
    let given = false
    return () => {
      if (given) return
      given = true
      const next = waiting.shift()
      if (next === undefined) taken -= 1
      else next()
    }
  }
  return {
    take: async () => {
      if (taken < atOnce) taken += 1
      else {
        if (waiting.length >= waitingMax) return null
        await new Promise<void>(resolve => waiting.push(resolve))
      }
      return giveBack()
    },
  }
}
