import { type BigIntStats, lstatSync } from 'node:fs'
import { breathing, restingOver } from '#src/domain/slicing/sliced.js'
import { breather } from '#src/kernel/time/breathe.js'
import { realClock } from '#src/kernel/time/clock.js'
import { isCode } from '../disk.js'

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
 * Visits the items synchronously and lets the event loop turn after a millisecond or so. A promise for each `lstat`
 * costs ten times as much processor time as the call itself.
 */
export const visitInSlices = <A>(
  items: ReadonlyArray<A>,
  visit: (item: A, at: number) => void,
): Promise<void> =>
  breathing(
    restingOver(items.entries(), ([at, item]) => visit(item, at)),
    breather(realClock.monotonicMs, sliceMs),
  )
