import { randomBytes } from 'node:crypto'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import type { Disk } from './disk.js'
import { looseBytes, type MadeObject } from './git-object.js'

const deflated = promisify(deflate)
const readOnly = 0o444

const isThere = async (path: string): Promise<boolean> => {
  try {
    await access(path)
    return true
  } catch {
    return false
  }
}

/**
 * Writes loose objects: every file and then every folder that got one is on disk when it resolves, so that a ref may
 * point at them. Temporary names are those that `git prune` clears away after a crash.
 */
export const writeObjects = async (
  disk: Disk,
  objects: string,
  made: ReadonlyArray<MadeObject>,
): Promise<void> => {
  const wanted = new Map(made.map(object => [object.id, object]))
  const folders = [...new Set([...wanted.keys()].map(id => join(objects, id.slice(0, 2))))]
  const missing = await Promise.all(folders.map(async folder => !(await isThere(folder))))
  await Promise.all(folders.filter((_, at) => missing[at]).map(disk.makeFolder))
  await Promise.all(
    [...wanted.values()].map(async object => {
      const draft = join(objects, `tmp_obj_${randomBytes(8).toString('hex')}`)
      await disk.write(draft, await deflated(looseBytes(object), { level: 1 }), readOnly)
      await disk.rename(draft, join(objects, object.id.slice(0, 2), object.id.slice(2)))
    }),
  )
  await Promise.all([...folders, ...(missing.includes(true) ? [objects] : [])].map(disk.syncFolder))
}
