import { deepEqual } from 'node:assert/strict'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { BlobId, RepoPath } from '#protocol/atoms.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'
import { readIndex, stageFiles, stageLookup } from '../index-file.js'
import { openCheckoutWatch } from './checkout-faults.js'
import { inspectPath } from './work-tree.js'

const texts = { 'a/one.md': 'one\n', 'a/two.md': 'two\n', 'b/empty.md': '', 'run.sh': '#!/bin/sh\n' }

describe('the look at a checkout', () => {
  let repository: Repository
  let reads: Array<string> = []
  beforeEach(() => {
    repository = repositoryOf(texts)
    reads = []
    age('.git/index', 10)
  })
  afterEach(() => repository.dispose())

  const at = (path: string): string => join(repository.path, path)
  /** Sets the mtime of a file to this many seconds after now. */
  const age = (path: string, seconds: number): void => {
    const when = Date.now() / 1000 + seconds
    utimesSync(at(path), when, when)
  }
  const served = () =>
    repository
      .git('ls-tree', '-r', 'HEAD')
      .split('\n')
      .map(line => {
        const [, , blob, path] = line.split(/\s/)
        return { path: path as RepoPath, blob: blob as BlobId }
      })
  const open = () => {
    const look = openCheckoutWatch({
      repo: repository.path,
      stands: () => Promise.resolve(true),
      atOnce: true,
      read: (repo, path) => {
        reads.push(path)
        return inspectPath(repo, path)
      },
    })
    const files = served()
    return async () => {
      reads = []
      const { dirty } = await look(files)
      return { dirty, reads: [...reads].sort() }
    }
  }

  it('reads no file of a fresh checkout', async () => {
    const look = open()
    deepEqual(await look(), { dirty: [], reads: [] })
    deepEqual(await look(), { dirty: [], reads: [] })
  })

  it('reads a file that was touched or made executable once', async () => {
    const look = open()
    age('a/one.md', -60)
    chmodSync(at('a/two.md'), 0o755)
    deepEqual(await look(), { dirty: [], reads: ['a/one.md', 'a/two.md'] })
    deepEqual(await look(), { dirty: [], reads: [] })
  })

  it('reads every file of an index that is not newer, and finds a change of equal size', async () => {
    const { mtimeMs } = lstatSync(at('a/one.md'))
    utimesSync(at('.git/index'), mtimeMs / 1000 - 1, mtimeMs / 1000 - 1)
    writeFileSync(at('a/one.md'), 'eno\n')
    const look = open()
    deepEqual(await look(), { dirty: ['a/one.md'], reads: Object.keys(texts).sort() })
    // A newer index does not make the changed file older than the previous one.
    age('.git/index', 20)
    deepEqual(await look(), { dirty: ['a/one.md'], reads: [] })
  })

  it('reads files whose entries have no stat data once', async () => {
    const index = readIndex(readFileSync(at('.git/index')))
    const staged = stageLookup(index)('a/one.md')
    const next = stageFiles(index, new Map([['a/one.md', { mode: null, id: staged?.id ?? '' }]]))
    writeFileSync(at('.git/index'), next.bytes)
    age('.git/index', 10)
    const look = open()
    deepEqual(await look(), { dirty: [], reads: ['a/one.md'] })
    deepEqual(await look(), { dirty: [], reads: [] })
  })

  it('reads a link, and finds one in the place of a file', async () => {
    rmSync(at('a/one.md'))
    symlinkSync('two.md', at('a/one.md'))
    deepEqual(await open()(), { dirty: ['a/one.md'], reads: ['a/one.md'] })
    repository.commit({})
    age('.git/index', 10)
    deepEqual(await open()(), { dirty: [], reads: ['a/one.md'] })
  })

  it('finds files that are staged, changed or removed', async () => {
    writeFileSync(at('a/one.md'), 'other\n')
    repository.git('add', 'a/one.md')
    age('.git/index', 10)
    writeFileSync(at('run.sh'), 'x')
    rmSync(at('a/two.md'))
    deepEqual((await open()()).dirty, ['a/one.md', 'a/two.md', 'run.sh'])
  })

  it('finds the files of a folder that becomes a link or another checkout, though they are the same', async () => {
    const look = open()
    renameSync(at('a'), at('c'))
    symlinkSync('c', at('a'))
    mkdirSync(at('b/.git'))
    const dirty = ['a/one.md', 'a/two.md', 'b/empty.md']
    deepEqual(await look(), { dirty, reads: [] })
    rmSync(at('a'))
    renameSync(at('c'), at('a'))
    rmSync(at('b/.git'), { recursive: true })
    deepEqual((await look()).dirty, [])
  })

  it('compares by the conversion of git, and reads no file that its stat data proves', async () => {
    repository.commit({ '.gitattributes': '*.md text\n' })
    rmSync(at('a/one.md'))
    writeFileSync(at('a/one.md'), 'one\r\n')
    repository.git('add', 'a/one.md')
    age('.git/index', 10)
    deepEqual(await open()(), { dirty: [], reads: [] })
    writeFileSync(at('a/one.md'), 'one\r\n\r\n')
    deepEqual(await open()(), { dirty: ['a/one.md'], reads: ['a/one.md'] })
    writeFileSync(at('a/one.md'), 'one\r\n')
    deepEqual(await open()(), { dirty: [], reads: ['a/one.md'] })
  })
})
