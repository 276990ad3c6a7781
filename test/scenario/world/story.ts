/** What happened in a run, printed as it happens, with the seconds since the moment that the run counts from. */
export interface Story {
  readonly title: (text: string) => void
  /** Counts seconds from now on, or from the given wall time. */
  readonly countFromNow: () => void
  /** Says what happened at a place; `atMs` is wall time, now unless given. */
  readonly tell: (place: string, what: string, atMs?: number) => void
  /** Prints a statement once its check has passed; rejects with the check. */
  readonly claim: (statement: string, check: () => unknown) => Promise<void>
  /** Number of statements that were checked. */
  readonly claims: () => number
}

const placeWidth = 9

export const openStory = (print: (line: string) => void, nowMs: () => number): Story => {
  let zeroMs = nowMs()
  let claims = 0
  const secondsAt = (atMs: number): string => ((atMs - zeroMs) / 1_000).toFixed(1).padStart(7)
  return {
    title: text => print(`\n${text}\n`),
    countFromNow: () => {
      zeroMs = nowMs()
    },
    tell: (place, what, atMs = nowMs()) =>
      print(`${secondsAt(atMs)} s  ${place.padEnd(placeWidth)} ${what}\n`),
    claim: async (statement, check) => {
      try {
        await check()
      } catch (error) {
        print(`${' '.repeat(9)}  ✗ ${statement}\n`)
        throw error
      }
      claims += 1
      print(`${' '.repeat(9)}  ✓ ${statement}\n`)
    },
    claims: () => claims,
  }
}
