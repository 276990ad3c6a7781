import { slowness, spentMs } from './processor-time.js'

/**
 * The most processor time that one turn of the event loop took while `work` ran, in ms of the machine that bars were
 * set on. Not the time on the wall: on a busy machine that tells how long the system let the process wait.
 */
export const longestTurnMs = async (work: () => Promise<unknown>): Promise<number> => {
  let [worst, last, over] = [0, spentMs(), false]
  const turn = (): void => {
    const now = spentMs()
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
  return worst / slowness()
}
