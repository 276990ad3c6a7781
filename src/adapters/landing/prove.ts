import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Intents } from '#src/ports/intents.js'
import type { Disk } from './disk.js'
import type { GitFolder } from './git-folder.js'

const probe = Buffer.alloc(4096, 'kronika\n')

const takes = async (disk: Disk, folder: string, name: string): Promise<void> => {
  const path = join(folder, `${name}${randomBytes(8).toString('hex')}`)
  await disk.makeFolder(folder)
  try {
    await disk.write(path, probe, 0o600)
    await disk.syncFolder(folder)
  } finally {
    await disk.remove(path)
  }
}

/** Writes a durable file and row where a landing would, and takes them away again; a text is why not (D28). */
export const proveDisk = async (
  disk: Disk,
  area: string,
  folder: Promise<GitFolder>,
  intents: Intents | null,
): Promise<string | null> => {
  try {
    await takes(disk, area, 'probe-')
    await takes(disk, (await folder).objects, 'tmp_obj_')
    intents?.prove()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
