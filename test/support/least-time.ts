import type { Host } from './host.js'
import { processorTimeMs } from './processor-time.js'

export interface Measure {
  /** Measuring stops below this time, in ms. */
  readonly barMs: number
  /** Processor time spent so far, in ms, of the process that answers. */
  readonly spent: () => Promise<number>
  readonly tries?: number
  /** The number of calls in one try: many where the bar is close to the cost of `spent`. */
  readonly asks?: number
}

/** The processor time of this process, for work inside it. */
export const ofThisProcess = (): Promise<number> => Promise.resolve(processorTimeMs())

/** The processor time of a host, in this process or spawned, by its own metric. */
export const processorMsOfHost = (host: Host) => async (): Promise<number> => {
  const seconds = await host.metric('process_cpu_seconds_total')
  if (!(seconds > 0)) throw new Error('the host tells no processor time')
  return seconds * 1000
}

/**
 * The least processor time of one `ask`, in ms, over a few tries, until one is below the bar. A garbage
 * collection or another process disturbs a try now and then, while expensive work is expensive every time.
 * Not wall time, which includes how long the machine let the process wait.
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
