import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Writes out what the bench itself wrote. The system writes the files of a prepared world out 30 s later otherwise, and
 * every fsync of the node waits for that: up to 400 ms in the middle of a measurement.
 */
export const flushDisk = async (): Promise<void> => {
  await run('sync')
}
