import { mainThreadMs, slowness } from './processor-time.js'

/**
 * The most processor time of the main thread that one turn of the event loop took while `work` ran, in ms of the
 * machine that bars were set on. Not the time on the wall: on a busy machine that tells how long the system let the
 * process wait. How slow the machine is just now is measured before and after the work.
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
 * The longest turn of the best of five tries, in ms: a try more only while it is not below the bar. A collection of
 * garbage or a neighbour of the machine lengthens a turn now and then.
 */
export const leastTurnMs = async (barMs: number, work: () => Promise<unknown>): Promise<number> => {
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at < triesMax && least >= barMs; at += 1)
    least = Math.min(least, await longestTurnMs(work))
  return least
}
