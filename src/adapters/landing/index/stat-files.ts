import { type BigIntStats, lstatSync } from 'node:fs'
import { forEachInSlices } from '#src/domain/slicing/sliced.js'
import { runDaemonWork } from '#src/kernel/work-scheduler.js'
import { isCode } from '../disk.js'

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
 * Visits the items synchronously, and yields to the event loop. A promise for each
 * `lstat` costs ten times as much processor time as the call itself.
 */
export const visitInSlices = <A>(
  items: ReadonlyArray<A>,
  visit: (item: A, at: number) => void,
): Promise<void> => runDaemonWork(forEachInSlices(items.entries(), ([at, item]) => visit(item, at)))
