import { readFileSync } from 'node:fs'

/** The processor time of this process, in ms. On a busy machine the time on the wall tells how long others ran. */
export const spentMs = (): number => {
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
 * The processor time of the main thread alone, in ms, which is how long a turn of it held others up. The time of the
 * process counts the threads that compile and collect garbage beside it as well: it is the answer where the system does
 * not tell the time of a thread.
 */
export const mainThreadMs = (): number => readScheduledMs() ?? spentMs()

const spentOn = (work: () => unknown): number => {
  const from = spentMs()
  work()
  return spentMs() - from
}

const leastOf = (tries: number, measure: () => number): number =>
  Math.min(...Array.from({ length: tries }, measure))

/** Work of the kind that bars are set for: texts are cut, kept by name, sorted and joined again. */
const yardstick = (): number => {
  const kept = new Map<string, number>()
  for (let at = 0; at < 30_000; at += 1) kept.set(`nazwa ${(at * 7_919) % 30_000}`.toLowerCase(), at)
  const names = [...kept.keys()].sort()
  return JSON.stringify(names).split(',').length
}

/** What the yardstick takes on the machine that the bars were set on, in ms. */
const yardstickMs = 20

/**
 * How many times slower this machine is just now than the one that bars of processor time were set on; 1 where it is
 * not slower. Neighbours of a shared machine slow a processor down too: they take its caches and its twin thread.
 */
export const slowness = (): number => Math.max(1, leastOf(3, () => spentOn(yardstick)) / yardstickMs)

const tries = 5
/** What is less than this, in ms, is lost in the noise of a clock and a collection of garbage. */
const floorMs = 5
/** Between what work that grows with its size takes for four times the size, and the sixteen of a square. */
const timesMax = 10

/** Whether the least of two measurements of four times the size is below the bar; the second only where it decides. */
const growsBelowSquare = (size: number, work: (size: number) => unknown): boolean => {
  const oneMs = leastOf(3, () => spentOn(() => work(size)))
  const barMs = timesMax * Math.max(oneMs, floorMs)
  return Array.from({ length: 2 }).some(() => spentOn(() => work(4 * size)) < barMs)
}

/**
 * Whether the processor time of `work` grows with `size`: four times the size takes about 4 times as long, where a
 * square takes 16. Measured anew, a few times, while it looks like a square: noise goes, a square stays.
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
 * The least that each step of the same work took, in ms, in as many rounds as it takes until none is longer than
 * `barMs`, at most three. The work cuts its steps by count, so they are the same in each round; a collection of garbage
 * falls on another one.
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
