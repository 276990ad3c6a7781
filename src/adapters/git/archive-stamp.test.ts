import { equal, notEqual } from 'node:assert/strict'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { CommitId } from '#protocol/atoms.js'
import {
  gitIn,
  headIn,
  type Repository,
  repositoryOf,
  temporaryFolder,
  writeFiles,
} from '#test/support/repository.js'
import { type Archive, archiveStampReader, readArchiveStamp } from './archive-stamp.js'

const transcripts = { 'logi/2026/a.txt': 'Brzoza: witaj\n', 'logi/b.txt': 'Cis: hej\n' }

describe('the stamp of the transcript archive', () => {
  let one: Repository
  let other: Repository
  beforeEach(() => {
    one = repositoryOf({ ...transcripts, 'encje/indeks.md': '' })
    other = repositoryOf({ ...transcripts, 'sesje/2026.md': 'x' })
    allowed = realpathSync(other.path)
  })
  afterEach(() => {
    one.dispose()
    other.dispose()
  })

  /** The only checkout outside the lore that may be read. */
  let allowed = ''
  const stampOf = ({ path }: Pick<Repository, 'path'>, named = '') => {
    const commit = CommitId.decode(headIn(path).trim())
    if (isLeft(commit)) throw new Error('HEAD is a commit')
    return readArchiveStamp(
      { repo: path, rule: root => (root === allowed ? 'allowed' : null) },
      named,
      commit.right,
    )
  }
  const commitFiles = (files: Readonly<Record<string, string>>): void => {
    writeFiles(one.path, files)
    gitIn(one.path, 'add', '-A')
    gitIn(one.path, 'commit', '-qm', 'next')
  }

  it('is the same on two hosts with the same transcripts, and another once one changes', async () => {
    const before = await stampOf(one)
    equal(before, gitIn(one.path, 'rev-parse', 'HEAD:logi').trim())
    equal(await stampOf(other), before)
    commitFiles({ 'sesje/2027.md': 'y' })
    equal(await stampOf(one), before, 'a commit beside the archive')
    commitFiles({ 'logi/c.txt': 'x' })
    notEqual(await stampOf(one), before)
    writeFiles(one.path, { 'logi/d.txt': 'uncommitted' })
    equal(await stampOf(one), gitIn(one.path, 'rev-parse', 'HEAD:logi').trim())
  })

  it('is read once for a commit, unless corpora.logi names a checkout', async () => {
    const commit = CommitId.decode(headIn(one.path).trim())
    if (isLeft(commit)) throw new Error('HEAD is a commit')
    const archive: Archive = { repo: one.path, rule: () => 'allowed' }
    const [read, readNamed] = [archiveStampReader(archive, ''), archiveStampReader(archive, other.path)]
    const [before, named] = [await read(commit.right), await readNamed(commit.right)]
    one.dispose()
    equal(await read(commit.right), before)
    writeFiles(other.path, { 'logi/c.txt': 'x' })
    gitIn(other.path, 'add', '-A')
    gitIn(other.path, 'commit', '-qm', 'next')
    notEqual(await readNamed(commit.right), named)
  })

  it('is the empty tree without the folder', async () => {
    gitIn(one.path, 'rm', '-rq', 'logi')
    gitIn(one.path, 'commit', '-qm', 'gone')
    equal(await stampOf(one), '4b825dc642cb6eb9a060e54bf8d69288fbee4904')
    commitFiles({ logi: 'a file' })
    equal(await stampOf(one), '4b825dc642cb6eb9a060e54bf8d69288fbee4904')
  })

  it('follows corpora.logi to a folder of the lore, and to a checkout', async () => {
    const inLore = await stampOf(one)
    equal(await stampOf(one, 'logi'), inLore)
    equal(await stampOf(one, 'logi/'), inLore)
    equal(await stampOf(one, 'logi/2026'), gitIn(one.path, 'rev-parse', 'HEAD:logi/2026').trim())
    equal(await stampOf(one, other.path), gitIn(other.path, 'rev-parse', 'HEAD^{tree}').trim())
  })

  it('is none for a checkout that the operator does not allow', async () => {
    allowed = ''
    equal(await stampOf(one, other.path), null)
    equal(await stampOf(one, '.'), gitIn(one.path, 'rev-parse', 'HEAD^{tree}').trim())
  })

  it('is none for a folder of another checkout, a folder that is none, and a name that is no path', async () => {
    const bare = temporaryFolder()
    for (const named of [join(other.path, 'logi'), bare.path, 'brak', 'a\0b', '--upload-pack=x'])
      equal(await stampOf(one, named), null, named)
    bare.dispose()
  })
})
