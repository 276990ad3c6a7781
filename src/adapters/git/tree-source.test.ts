import { deepEqual, equal, match, notEqual, rejects } from 'node:assert/strict'
import { rmSync, symlinkSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { LostObject, type TreeSource } from '#src/ports/git.js'
import { type Repository, repositoryOf, writeFiles } from '#test/support/repository.js'
import { openDirectorySource } from './directory-source.js'
import { openGitSource } from './git-source.js'

const files = { 'encje/indeks.md': '### Żmija\n- @typ: NPC\n', 'Wątki/a b.md': 'x', 'pusty.md': '' }

const textsOf = async (source: TreeSource): Promise<Readonly<Record<string, string | undefined>>> => {
  const { entries } = await source.list(await source.head())
  const texts = await Promise.all(
    entries.map(async entry => [entry.path, (await source.read(entry))?.toString('utf8')] as const),
  )
  return Object.fromEntries(texts)
}

describe('a source of files', () => {
  let repository: Repository
  let opened: Array<TreeSource> = []
  const open = (source: TreeSource): TreeSource => {
    opened.push(source)
    return source
  }
  beforeEach(() => {
    repository = repositoryOf(files)
    opened = []
  })
  afterEach(async () => {
    for (const source of opened) await source.close()
    repository.dispose()
  })

  it('reads the committed files, not what lies uncommitted', async () => {
    writeFiles(repository.path, { 'encje/indeks.md': 'uncommitted', 'new.md': 'untracked' })
    deepEqual(await textsOf(open(openGitSource(repository.path))), files)
  })

  it('gives a directory the blob ids that git gives the same files', async () => {
    const [committed, plain] = [
      open(openGitSource(repository.path)),
      open(openDirectorySource(repository.path)),
    ]
    const ids = async (source: TreeSource) =>
      (await source.list(await source.head())).entries
        .map(entry => [entry.path, entry.blob, entry.bytes])
        .sort()
    deepEqual(await ids(plain), await ids(committed))
    deepEqual(await textsOf(plain), files)
  })

  it('sees a commit made beside it, and only then another id', async () => {
    const source = open(openGitSource(repository.path))
    const before = await source.head()
    deepEqual(await source.head(), before)
    const commit = repository.commit({ 'encje/indeks.md': 'changed' })
    const after = await source.head()
    equal(after.commit, commit)
    notEqual(after.id, before.id)
  })

  it('sees a changed file of a directory by another id', async () => {
    const source = open(openDirectorySource(repository.path))
    const before = await source.head()
    equal((await source.head()).id, before.id)
    writeFiles(repository.path, { 'encje/indeks.md': 'changed' })
    notEqual((await source.head()).id, before.id)
    equal((await textsOf(source))['encje/indeks.md'], 'changed')
  })

  it('has the empty tree where there is no commit', async () => {
    const bare = repositoryOf({})
    const source = open(openGitSource(bare.path))
    const head = await source.head()
    equal(head.commit, null)
    deepEqual(await source.list(head), { entries: [], skipped: [] })
    bare.dispose()
  })

  it('never follows a symbolic link', async () => {
    symlinkSync('/etc/passwd', join(repository.path, 'link.md'))
    repository.commit({})
    for (const source of [open(openGitSource(repository.path)), open(openDirectorySource(repository.path))]) {
      const { entries, skipped } = await source.list(await source.head())
      deepEqual(skipped, [{ path: 'link.md', reason: 'symlink' }])
      equal(
        entries.some(entry => entry.path === 'link.md'),
        false,
      )
    }
  })

  it('tells of a folder that cannot be listed, and reads the rest; one that went away is no finding', async () => {
    for (const [code, told] of [
      ['EACCES', [{ path: 'Wątki', reason: 'unlisted' }]],
      ['ENOENT', []],
    ] as const) {
      const list = (path: string): Promise<ReadonlyArray<string>> =>
        path.endsWith('Wątki') ? Promise.reject(Object.assign(new Error(code), { code })) : readdir(path)
      const source = open(openDirectorySource(repository.path, list))
      const { entries, skipped } = await source.list(await source.head())
      deepEqual(skipped, told)
      deepEqual(entries.map(({ path }) => path).sort(), ['encje/indeks.md', 'pusty.md'])
    }
  })

  it('tells the path and the id of a blob that is gone, also at a path asked for, and reads on', async () => {
    const source = open(openGitSource(repository.path))
    const { entries } = await source.list(await source.head())
    const [lost, kept] = entries
    if (lost === undefined || kept === undefined) throw new Error('two files wanted')
    rmSync(join(repository.path, '.git/objects', lost.blob.slice(0, 2), lost.blob.slice(2)))
    await rejects(source.read(lost), new LostObject(lost))
    match(new LostObject(lost).message, new RegExp(`^${lost.path}: its object ${lost.blob} is missing`))
    await rejects(source.file(lost.path), /cannot be read/)
    equal(await source.file('nie ma'), null)
    notEqual(await source.read(kept), null)
  })

  it('rejects when the repository is gone, and does not hang', async () => {
    const source = open(openGitSource(join(repository.path, 'nowhere')))
    await rejects(source.head())
  })

  it('knows an ancestor from a stranger', async () => {
    const source = open(openGitSource(repository.path))
    const first = await source.head()
    repository.commit({ 'b.md': 'b' })
    const second = await source.head()
    if (first.commit === null || second.commit === null) throw new Error('commits wanted')
    equal(await source.contains(second, first.commit), true)
    equal(await source.contains(first, second.commit), false)
  })
})
