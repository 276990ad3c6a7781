import { randomBytes } from 'node:crypto'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { mapAtMost } from '../at-most.js'
import type { Disk } from '../disk.js'
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

/** `git prune` removes such names too. */
const draftPrefix = 'tmp_obj_kronika_'

export const isDraftObject = (name: string): boolean => name.startsWith(draftPrefix)

/** A file name beside the objects that no other program uses. */
export const draftObject = (objects: string, prefix = draftPrefix): string =>
  join(objects, `${prefix}${randomBytes(8).toString('hex')}`)

/**
 * Writes loose objects: every file, and every folder that got one, is on disk when it resolves, so that a ref
 * may point to them. `prefix` begins the names of unfinished files: a recovery of the gate removes those with
 * its own prefix.
 */
export const writeObjects = async (
  disk: Disk,
  objects: string,
  made: ReadonlyArray<MadeObject>,
  prefix = draftPrefix,
): Promise<void> => {
  const wanted = new Map(made.map(object => [object.id, object]))
  const folders = [...new Set([...wanted.keys()].map(id => join(objects, id.slice(0, 2))))]
  const missing = await Promise.all(folders.map(async folder => !(await isThere(folder))))
  await Promise.all(folders.filter((_, at) => missing[at]).map(disk.makeFolder))
  await mapAtMost([...wanted.values()], async object => {
    const draft = draftObject(objects, prefix)
    await disk.write(draft, await deflated(looseBytes(object), { level: 1 }), readOnly)
    await disk.rename(draft, join(objects, object.id.slice(0, 2), object.id.slice(2)))
  })
  await mapAtMost([...folders, ...(missing.includes(true) ? [objects] : [])], disk.syncFolder)
}
