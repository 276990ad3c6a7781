import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'

/**
 * How much lower than the rest of the process, as `nice` counts: a thread keeps two fifths of the share that an
 * ordinary one has, so that it does its work also where others load the machine.
 */
const niceness = 4

/**
 * Lowers the priority of the thread that calls it, so that the main thread goes first where processors are short.
 * Linux keeps a priority for each thread and names the thread in `/proc/thread-self`; on other systems nothing changes.
 */
export const lowerThreadPriority = (): void => {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), niceness)
  } catch {
    return
  }
}
