import { type BigIntStats, lstatSync } from 'node:fs'
import { forEachInSlices, runWithPauses } from '#src/domain/slicing/sliced.js'
import { breather } from '#src/kernel/time/breathe.js'
import { realClock } from '#src/kernel/time/clock.js'
import { isCode } from '../disk.js'

/** How long a slice of stats blocks the main thread, in ms. */
const sliceMs = 1

/** The `lstat` of a path with nanoseconds; null where nothing is there. */
export const statAt = (path: string): BigIntStats | null => {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null
  } catch (error) {
    if (isCode(error, 'ENOTDIR')) return null
    throw error
  }
}

/**
 * Visits the items synchronously, and yields to the event loop about every millisecond. A promise for each
 * `lstat` costs ten times as much processor time as the call itself.
 */
export const visitInSlices = <A>(
  items: ReadonlyArray<A>,
  visit: (item: A, at: number) => void,
): Promise<void> =>
  runWithPauses(
    forEachInSlices(items.entries(), ([at, item]) => visit(item, at)),
    breather(realClock.monotonicMs, sliceMs),
  )
