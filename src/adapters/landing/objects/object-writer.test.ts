import { deepEqual, equal, rejects } from 'node:assert/strict'
import { rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { type Disk, realDisk } from '#src/adapters/landing/disk.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'
import { blobObject, writeObjects } from './object-writer.js'

const made = blobObject(Buffer.from('a write under way\n'))

describe('loose objects that are written while git packs', () => {
  let repository: Repository
  let objects: string
  beforeEach(() => {
    repository = repositoryOf({ 'a.md': 'a\n' })
    objects = join(repository.path, '.git/objects')
  })
  afterEach(() => repository.dispose())

  /** Removes the folder of the object before it is moved there, so often, as git does with one that it emptied. */
  const emptied = (times: number): { readonly disk: Disk; readonly synced: Set<string> } => {
    const synced = new Set<string>()
    let left = times
    const disk: Disk = {
      ...realDisk,
      rename: (from, to) => {
        if (left > 0) rmdirSync(dirname(to))
        left -= 1
        return realDisk.rename(from, to)
      },
      syncFolder: folder => {
        synced.add(folder)
        return realDisk.syncFolder(folder)
      },
    }
    return { disk, synced }
  }
  const read = (): string => repository.git('cat-file', 'blob', made.id)

  it('make the folder again that git has removed, and sync the one above it', async () => {
    await realDisk.makeFolder(join(objects, made.id.slice(0, 2)))
    const { disk, synced } = emptied(2)
    await writeObjects(disk, objects, [made])
    equal(read(), 'a write under way')
    deepEqual(synced, new Set([join(objects, made.id.slice(0, 2)), objects]))
  })

  it('give up where the folder cannot stay', () =>
    rejects(() => writeObjects(emptied(100).disk, objects, [made]), { code: 'ENOENT' }))

  it('need no folder where git has packed the object meanwhile', async () => {
    await writeObjects(realDisk, objects, [made])
    repository.git('update-ref', 'refs/svc/test/blob', made.id)
    repository.git('repack', '-d', '-l', '-q')
    const disk: Disk = {
      ...realDisk,
      syncFolder: folder => {
        rmSync(join(objects, made.id.slice(0, 2)), { recursive: true, force: true })
        return realDisk.syncFolder(folder)
      },
    }
    await writeObjects(disk, objects, [made])
    equal(read(), 'a write under way')
  })
})
