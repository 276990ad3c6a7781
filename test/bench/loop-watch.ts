import { readFile } from 'node:fs/promises'

const shortestMs = 15

/** A stretch in which the loop of a node did not turn. */
export interface Stall {
  /** Unix time at its end, ms. */
  readonly endMs: number
  readonly lengthMs: number
  /** How much of it the loop's own thread was on a processor; the rest is the machine's. */
  readonly processorMs: number
}

/**
 * Arguments of node that make it note each stall of the main thread's loop of `leastMs` or more in a file. Worker threads,
 * which get the same arguments, note none. A data URL: a node that is built runs no TypeScript.
 */
export const loopWatchArgs = (log: string, leastMs = shortestMs): ReadonlyArray<string> => {
  const code = `
    import { appendFileSync, readFileSync } from 'node:fs'
    import { isMainThread } from 'node:worker_threads'
    const used = () => {
      try {
        return Number(readFileSync('/proc/self/task/' + process.pid + '/schedstat', 'utf8').split(' ')[0]) / 1e6
      } catch {
        return Number.NaN
      }
    }
    const reading = () => ({ atMs: performance.now(), usedMs: used() })
    let last = reading()
    const watch = () => {
      const now = reading()
      const lengthMs = now.atMs - last.atMs - 2
      if (lengthMs > ${leastMs})
        appendFileSync(${JSON.stringify(log)}, [Date.now(), lengthMs, now.usedMs - last.usedMs].join(' ') + '\\n')
      last = reading()
    }
    if (isMainThread) setInterval(watch, 2).unref()`
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`]
}

/** The stalls that ended in a stretch of time, both in Unix ms. */
export const stallsIn = async (log: string, fromMs: number, toMs: number): Promise<ReadonlyArray<Stall>> => {
  const text = await readFile(log, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => line.split(' ').map(Number))
    .map(([endMs = 0, lengthMs = 0, processorMs = 0]) => ({ endMs, lengthMs, processorMs }))
    .filter(({ endMs }) => endMs >= fromMs && endMs <= toMs)
}
