import { readFileSync } from 'node:fs'

/** The processor time of this process, in ms. On a busy machine wall time includes how long others ran. */
export const processorTimeMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const scheduled = `/proc/self/task/${process.pid}/schedstat`

const readScheduledMs = (): number | null => {
  try {
    return Number(readFileSync(scheduled, 'latin1').split(' ')[0]) / 1_000_000
  } catch {
    return null
  }
}

/**
 * The processor time of the main thread, in ms: how long its turns blocked others. The process's time also
 * includes the threads that compile and collect garbage; it is the fallback where the system does not report
 * the time of a thread.
 */
export const mainThreadMs = (): number => readScheduledMs() ?? processorTimeMs()

const timeWork = (work: () => unknown): number => {
  const from = processorTimeMs()
  work()
  return processorTimeMs() - from
}

const leastOf = (tries: number, measure: () => number): number =>
  Math.min(...Array.from({ length: tries }, measure))

/** Work of the same kind as what the bars are set for: cuts texts, and stores, sorts and joins them. */
const yardstick = (): number => {
  const kept = new Map<string, number>()
  for (let at = 0; at < 30_000; at += 1) kept.set(`nazwa ${(at * 7_919) % 30_000}`.toLowerCase(), at)
  const names = [...kept.keys()].sort()
  return JSON.stringify(names).split(',').length
}

/** The time of the yardstick on the reference machine, in ms. */
const yardstickMs = 20

/**
 * How many times slower this machine is now than the reference machine for bars of processor time; 1 where it
 * is not slower. Other load on a shared machine also slows a processor down: it uses its caches and its twin
 * thread.
 */
export const slowness = (): number => Math.max(1, leastOf(3, () => timeWork(yardstick)) / yardstickMs)

const tries = 20
/** Less than this, in ms, is noise of the clock and of garbage collection. */
const floorMs = 5
/** Between the factor of linear work for four times the size, and the sixteen of quadratic work. */
const timesMax = 10

/**
 * Whether the least of two measurements at four times the size is below the bar; measures the second time
 * only where needed.
 */
const growsBelowSquare = (size: number, work: (size: number) => unknown): boolean => {
  const oneMs = leastOf(3, () => timeWork(() => work(size)))
  const barMs = timesMax * Math.max(oneMs, floorMs)
  return Array.from({ length: 2 }).some(() => timeWork(() => work(4 * size)) < barMs)
}

/**
 * Whether the processor time of `work` grows linearly with `size`: four times the size takes about 4 times as
 * long, quadratic work 16 times. Measures up to 20 times while it looks quadratic: noise goes away, quadratic
 * growth does not.
 */
export const growsAsALine = (size: number, work: (size: number) => unknown): boolean =>
  Array.from({ length: tries }).some(() => growsBelowSquare(size, work))

/** The processor time of the main thread in each step of the work, in ms. */
const timeSteps = (work: Iterator<unknown>): ReadonlyArray<number> => {
  const stepMs: Array<number> = []
  for (let isOver = false; !isOver; ) {
    const fromMs = mainThreadMs()
    isOver = work.next().done === true
    stepMs.push(mainThreadMs() - fromMs)
  }
  return stepMs
}

const stepRoundsMax = 3

/**
 * The least time of each step of the same work, in ms, over at most three rounds, until none is longer than
 * `barMs`. The work divides its steps by count, so they are the same in each round; a garbage collection hits
 * different ones.
 */
export const leastStepsMs = (barMs: number, start: () => Iterator<unknown>): ReadonlyArray<number> => {
  let leastMs = timeSteps(start())
  for (let rounds = 1; rounds < stepRoundsMax && leastMs.some(ms => ms > barMs); rounds += 1) {
    const stepMs = timeSteps(start())
    if (stepMs.length !== leastMs.length) throw new Error('a round had other steps')
    leastMs = leastMs.map((least, at) => Math.min(least, stepMs[at] ?? least))
  }
  return leastMs
}
