import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'

/**
 * How much lower than the rest of the process, as `nice` counts: a thread keeps two fifths of the share of an
 * ordinary one, so that it also makes progress on a loaded machine.
 */
const readerNiceness = 4

/** The lowest priority: the thread runs where nothing else wants the processor. */
export const lowestNiceness = 19

/**
 * Lowers the priority of the calling thread, so that the main thread has precedence where processors are
 * short. Linux keeps a priority for each thread and names the thread in `/proc/thread-self`; on other systems
 * this changes nothing.
 */
export const lowerThreadPriority = (niceness = readerNiceness): void => {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), niceness)
  } catch {
    return
  }
}
