import type { Host } from './host.js'
import { spentMs } from './processor-time.js'

export interface Measure {
  /** What is below this is measured no more. */
  readonly barMs: number
  /** Processor time that was spent so far, in ms, by who answers. */
  readonly spent: () => Promise<number>
  readonly tries?: number
  /** How often a try asks: many where the bar is near what reading `spent` costs. */
  readonly asks?: number
}

/** The processor time of this process: for what is asked within it. */
export const ofThisProcess = (): Promise<number> => Promise.resolve(spentMs())

/** The processor time of a host, in this process or spawned, as it tells it. */
export const ofHost = (host: Host) => async (): Promise<number> => {
  const seconds = await host.metric('process_cpu_seconds_total')
  if (!(seconds > 0)) throw new Error('the host tells no processor time')
  return seconds * 1000
}

/**
 * The least processor time of one `ask`, in ms: measured anew, a few times, while it is not below the bar. A collection of
 * garbage or a neighbour is in the way now and then, what is dear by itself is so each time. Not the time on the wall:
 * that tells how long the machine let a process wait.
 */
export const leastSpentMs = async (
  { barMs, spent, tries = 10, asks = 1 }: Measure,
  ask: () => Promise<unknown>,
): Promise<number> => {
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at < tries && least >= barMs; at += 1) {
    const fromMs = await spent()
    for (let asked = 0; asked < asks; asked += 1) await ask()
    least = Math.min(least, ((await spent()) - fromMs) / asks)
  }
  return least
}
