import { slowness } from '#test/support/processor-time.js'

/** What no request may exceed. Processor time of the daemon in ms, memory in MiB. */
export const bars = {
  readMs: 1_000,
  writeMs: 2_000,
  turnMs: 250,
  /** From the start of the process to its ready line. */
  loadMs: 30_000,
  heapGrowthMb: 64,
  /** The largest JSON answer. */
  answerBytes: 64 * 1024 * 1024,
} as const

/** Heap of the daemon under attack, MiB. */
export const heapMb = 512

/** After so much processor time of the daemon the harness stops waiting for an answer. */
export const giveUpMs = 20_000
/** The same on the wall: a daemon that waits for something uses no processor. */
export const giveUpWallMs = 180_000

export const barOf = (method: string): number => (method === 'GET' ? bars.readMs : bars.writeMs)

/** Whether `ms` exceeds `bar` on this machine as busy as it is now: the yardstick runs only when it matters. */
export const isOver = (ms: number, bar: number): boolean => ms > bar && ms > bar * slowness()
