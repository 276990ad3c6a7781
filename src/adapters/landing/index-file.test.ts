import { deepEqual, equal, ok } from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { type Repository, repositoryOf } from '#test/support/repository.js'
import { findStagedAcross, openIndexMemory, readIndex, stageFiles, stageLookup } from './index-file.js'

const texts = {
  'a/b/c.md': 'c\n',
  'a/b.md': 'b\n',
  'a/ż.md': 'ż\n',
  'a/ż/d.md': 'd\n',
  'run.sh': '#!/bin/sh\n',
  'z.md': 'z\n',
}

describe('the index of git', () => {
  let repository: Repository
  beforeEach(() => {
    repository = repositoryOf(texts)
    repository.git('update-index', '--chmod=+x', 'run.sh')
  })
  afterEach(() => repository.dispose())

  const path = (): string => join(repository.path, '.git/index')
  const listed = (): string => repository.git('-c', 'core.quotePath=false', 'ls-files', '--stage', '--debug')
  const idOf = (text: string): string => {
    writeFileSync(join(repository.path, '.git/text'), text)
    return repository.git('hash-object', '-w', '.git/text')
  }

  for (const version of ['2', '3', '4'])
    it(`has the same bytes after ids are replaced and after entries are removed and added, version ${version}`, () => {
      repository.git('update-index', '--index-version', version)
      const index = readIndex(readFileSync(path()))
      const files = new Map([
        ['a/ż.md', { mode: '100644', id: idOf('other') }],
        ['run.sh', { mode: '100755', id: idOf('echo') }],
      ])
      const replaced = stageFiles(index, files)
      const without = stageFiles(index, new Map([...files].map(([name]) => [name, null])))
      const added = stageFiles(without, files)
      ok(replaced.bytes.equals(added.bytes))
      ok(index.bytes.equals(readIndex(index.bytes).bytes))
      deepEqual(readIndex(replaced.bytes).entries, replaced.entries)
      writeFileSync(path(), replaced.bytes)
      equal(repository.git('ls-files', '--stage', 'run.sh').split(' ')[1], idOf('echo'))
      equal(
        listed()
          .split('\n')
          .filter(line => !line.startsWith(' ')).length,
        Object.keys(texts).length,
      )
    })

  it('keeps the mode of an entry, also of one with extended flags, which it lays out again', () => {
    repository.git('update-index', '--skip-worktree', 'z.md')
    const index = readIndex(readFileSync(path()))
    const next = stageFiles(
      index,
      new Map([
        ['z.md', { mode: null, id: idOf('other') }],
        ['run.sh', { mode: null, id: idOf('echo') }],
      ]),
    )
    writeFileSync(path(), next.bytes)
    equal(repository.git('ls-files', '--stage', 'run.sh', 'z.md').split('\n')[0]?.slice(0, 6), '100755')
    equal(stageLookup(next)('z.md')?.id, idOf('other'))
    equal(stageLookup(next)('none.md'), null)
  })

  it('tells which new paths lie across those that are staged', () => {
    const index = readIndex(readFileSync(path()))
    const across = (
      fresh: ReadonlyArray<string>,
      leaving: ReadonlyArray<string> = [],
    ): ReadonlyArray<string> => [...findStagedAcross(index, new Set(fresh), new Set(leaving))]
    deepEqual(across(['a/b', 'a/b.md/x', 'a/c', 'a/ż', 'z', 'z.md/y/x']), [
      'a/b',
      'a/b.md/x',
      'a/ż',
      'z.md/y/x',
    ])
    deepEqual(across(['a/b', 'a/ż', 'z.md/x'], ['a/b/c.md', 'a/ż/d.md', 'z.md']), [])
  })

  it('is not parsed again where it stands as this process left it, and is where another git wrote it', async () => {
    const memory = openIndexMemory()
    const index = await memory.read(path())
    equal(await memory.read(path()), index)
    const next = stageFiles(index, new Map([['z.md', { mode: null, id: idOf('other') }]]))
    memory.remember(next)
    equal(
      stageLookup(await memory.read(path()))('z.md')?.id,
      stageLookup(index)('z.md')?.id,
      'it was not written',
    )
    memory.remember(next)
    writeFileSync(path(), next.bytes)
    equal(await memory.read(path()), next)
    repository.git('update-index', '--cacheinfo', `100644,${idOf('theirs')},z.md`)
    equal(stageLookup(await memory.read(path()))('z.md')?.id, idOf('theirs'))
  })
})
