import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { Intents } from '#src/ports/records.js'
import type { Disk } from './disk.js'
import type { GitFolder } from './git-folder.js'
import { draftObject } from './objects/object-writer.js'

const probe = Buffer.alloc(4096, 'kronika\n')

const takes = async (disk: Disk, path: string): Promise<void> => {
  const folder = dirname(path)
  await disk.makeFolder(folder)
  try {
    await disk.write(path, probe, 0o600)
    await disk.syncFolder(folder)
  } finally {
    await disk.remove(path)
  }
}

/**
 * Writes a durable file and row where a landing would, and deletes them. Returns null, or why that failed
 * (D28).
 */
export const proveDisk = async (
  disk: Disk,
  area: string,
  folder: Promise<GitFolder>,
  intents: Intents | null,
): Promise<string | null> => {
  try {
    await takes(disk, join(area, `probe-${randomBytes(8).toString('hex')}`))
    await takes(disk, draftObject((await folder).objects))
    intents?.prove()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
