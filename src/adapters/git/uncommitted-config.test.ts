import { equal } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { configBounds } from '#protocol/bounds.js'
import { type Repository, repositoryOf, temporaryFolder, writeFiles } from '#test/support/repository.js'
import { readUncommittedConfig } from './corpus-tree.js'
import { openTreeSource } from './git-source.js'

const path = '.svc/config.json'
const one = '{\n  "server": {"port": 8123}\n}\n'

const hasUncommittedConfig = async (directory: string): Promise<boolean> => {
  const source = openTreeSource(directory)
  try {
    await source.head()
    return (await readUncommittedConfig(source)) !== null
  } finally {
    await source.close()
  }
}

describe('a configuration that no commit has', () => {
  let repository: Repository
  beforeEach(() => {
    repository = repositoryOf({ 'a.md': 'a' })
  })
  afterEach(() => repository.dispose())
  const now = () => hasUncommittedConfig(repository.path)
  const write = (text: string) => writeFiles(repository.path, { [path]: text })

  it('is none where none was ever written, and one until it is committed', async () => {
    equal(await now(), false)
    write(one)
    equal(await now(), true)
    repository.commit({ [path]: one })
    equal(await now(), false)
  })

  it('is an edit, or a deletion, of the committed one, and not its line ends', async () => {
    repository.commit({ [path]: one })
    write(one.replaceAll('\n', '\r\n'))
    equal(await now(), false)
    write(one.replace('8123', '8124'))
    equal(await now(), true)
    rmSync(join(repository.path, path))
    equal(await now(), true)
  })

  it('is none where the committed one is larger than a configuration may be, and lies there', async () => {
    const large = `${one}${' '.repeat(configBounds.bytes)}`
    repository.commit({ [path]: large })
    equal(await now(), false)
    write(one)
    equal(await now(), true)
  })

  it('is looked for without a wait and without a link followed', async () => {
    repository.commit({ [path]: one })
    rmSync(join(repository.path, path))
    execFileSync('mkfifo', [join(repository.path, path)])
    equal(await now(), true)
    rmSync(join(repository.path, path))
    symlinkSync('/dev/zero', join(repository.path, path))
    equal(await now(), true)
  })

  it('is nothing that a plain directory can have', async () => {
    const plain = temporaryFolder()
    writeFiles(plain.path, { [path]: one })
    equal(await hasUncommittedConfig(plain.path), false)
    plain.dispose()
  })
})
