import { rawGet } from './bare.js'
import type { BenchDaemon } from './daemon.js'

const betweenMs = 5

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** Milliseconds of each `GET /health`, one after another, while `goesOn` says so. */
export const healthTimes = async (
  daemon: Pick<BenchDaemon, 'url' | 'headers'>,
  goesOn: () => boolean,
): Promise<ReadonlyArray<number>> => {
  const seen: Array<number> = []
  while (goesOn()) {
    const startedMs = performance.now()
    await rawGet(`${daemon.url}/health`, daemon.headers)
    seen.push(performance.now() - startedMs)
    await pause(betweenMs)
  }
  return seen
}

/** The same for a time. */
export const healthTimesFor = (
  daemon: Pick<BenchDaemon, 'url' | 'headers'>,
  ms: number,
): Promise<ReadonlyArray<number>> => {
  const endMs = performance.now() + ms
  return healthTimes(daemon, () => performance.now() < endMs)
}
