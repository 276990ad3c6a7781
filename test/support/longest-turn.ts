import { mainThreadMs, slowness } from './processor-time.js'

/**
 * The most processor time of the main thread in one turn of the event loop while `work` ran, in ms of the
 * reference machine. Not wall time, which on a busy machine includes how long the process waited. The speed
 * of the machine is measured before and after the work.
 */
export const longestTurnMs = async (work: () => Promise<unknown>): Promise<number> => {
  const timesBefore = slowness()
  let [worst, last, over] = [0, mainThreadMs(), false]
  const turn = (): void => {
    const now = mainThreadMs()
    worst = Math.max(worst, now - last)
    last = now
    if (!over) setImmediate(turn)
  }
  setImmediate(turn)
  try {
    await work()
  } finally {
    over = true
  }
  return worst / Math.max(timesBefore, slowness())
}

const triesMax = 5

/**
 * The least of the longest turns over at most five tries, in ms; tries again only while it is not below the
 * bar. A garbage collection or another process lengthens a turn now and then.
 */
export const leastTurnMs = async (barMs: number, work: () => Promise<unknown>): Promise<number> => {
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at < triesMax && least >= barMs; at += 1)
    least = Math.min(least, await longestTurnMs(work))
  return least
}
