import { type BigIntStats, lstatSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { realClock } from '#src/kernel/clock.js'
import { isCode } from './disk.js'

/** How long a slice of stats holds the main thread, in ms. */
const sliceMs = 1

/** The `lstat` of a path with nanoseconds; null where nothing lies there. */
export const statAt = (path: string): BigIntStats | null => {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null
  } catch (error) {
    if (isCode(error, 'ENOTDIR')) return null
    throw error
  }
}

/**
 * Does synchronous work for each item and lets the event loop turn after each millisecond of it. A promise for each
 * `lstat` costs ten times as much processor time as the call itself.
 */
export const visitInSlices = async <A>(
  items: ReadonlyArray<A>,
  visit: (item: A, at: number) => void,
): Promise<void> => {
  let beganMs = realClock.monotonicMs()
  for (const [at, item] of items.entries()) {
    visit(item, at)
    if (realClock.monotonicMs() - beganMs < sliceMs) continue
    await setImmediate()
    beganMs = realClock.monotonicMs()
  }
}
