import { memoBytesMax } from '#src/http/routing/call.js'
import { slowness } from '#test/support/processor-time.js'

/** What no request may exceed. Processor time of the daemon in ms, memory in MiB. */
export const bars = {
  readMs: 1_000,
  writeMs: 2_000,
  turnMs: 250,
  /** Of the main thread between two answers of `/health`, whatever else is asked. */
  healthMs: 250,
  /** What a read of another player, and a row that tells the state of the host, may take beside a crowd, p99. */
  otherReadMs: 250,
  statusMs: 100,
  /** What the writes of one caller may add to `.git`, and to the state area, in a round. */
  growthMib: 16,
  /** From the start of the process to its first answer from the lore. */
  loadMs: 20_000,
  heapGrowthMb: 64,
  /** The bound of the cache of answers, which the first reads of whole lists fill. */
  cacheMb: memoBytesMax / 1024 / 1024,
  /** Processor time that each MiB of a whole-corpus answer beyond the first 64 may take: such answers have no bound. */
  wholeMsPerMib: 5,
  wholeMibFree: 64,
  /** The largest JSON answer of a row that does not answer with the whole corpus. */
  answerBytes: 16 * 1024 * 1024,
} as const

/** Heap of the daemon under attack, MiB. */
export const heapMb = 512

/** After so much processor time of the daemon the harness stops waiting for an answer. */
export const giveUpMs = 10_000
/** After so much time on the wall a daemon that hardly used a processor is taken to be stuck. */
const stuckMs = 60_000
const idleShare = 0.1
/** After so much time on the wall the harness stops waiting whatever the daemon does: a run has an end. */
const longestMs = 900_000

/** Why the harness stops waiting for a daemon that spent so much on what was asked; null: it waits on. */
export const reasonToGiveUp = (spentMs: number, wallMs: number, limitMs = giveUpMs): string | null => {
  if (spentMs > limitMs) return `${Math.round(spentMs)} ms of processor time`
  if (wallMs > stuckMs && spentMs < wallMs * idleShare) return `${Math.round(wallMs)} ms of doing nothing`
  return wallMs > longestMs ? `${Math.round(wallMs)} ms on the wall` : null
}

/** The bar of a request by its method and, for a whole corpus, by the bytes of its answer. */
export const barOf = (method: string, wholeBytes = 0): number => {
  const beyond = Math.max(0, wholeBytes / 1024 / 1024 - bars.wholeMibFree)
  return (method === 'GET' ? bars.readMs : bars.writeMs) + beyond * bars.wholeMsPerMib
}

/** Whether `ms` exceeds `bar` on this machine as busy as it is now: the yardstick runs only when it matters. */
export const isOver = (ms: number, bar: number): boolean => ms > bar && ms > bar * slowness()
