/** A few at a time, a few more that wait: the door of work that costs a child process. */
export interface Turns {
  /** Resolves with how to give the turn back; null where too many wait. */
  readonly take: () => Promise<(() => void) | null>
}

export const turns = (atOnce: number, waitingMax: number): Turns => {
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
