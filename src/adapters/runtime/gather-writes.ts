import type { KernelClock } from '#src/kernel/time/clock.js'

/** Calls its argument once, later: when the writes that gathered meanwhile are to be committed. */
export type GatherWrites = (commit: () => void) => void

/** To the end of the turn of the loop, when the requests that came in it have been read. */
export const gatherInTurn: GatherWrites = commit => void setImmediate(commit)

/** The rest between two transactions, in which writes gather. */
const restMs = 2

/**
 * To the end of the turn, and under load at least 2 ms behind the last transaction. Writes that come every millisecond
 * then share transactions, each of which blocks the loop while it waits for the disk. A write that comes alone does
 * not wait.
 */
export const gatherAtIntervals = (clock: Pick<KernelClock, 'monotonicMs' | 'after'>): GatherWrites => {
  let restsUntilMs = Number.NEGATIVE_INFINITY
  return commit => {
    const commitAndRest = (): void => {
      commit()
      restsUntilMs = clock.monotonicMs() + restMs
    }
    const leftMs = restsUntilMs - clock.monotonicMs()
    if (leftMs > 0) clock.after(leftMs, commitAndRest)
    else gatherInTurn(commitAndRest)
  }
}
