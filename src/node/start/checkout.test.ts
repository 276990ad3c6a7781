import { deepEqual, equal, ok } from 'node:assert/strict'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'mocha'
import { gitIn, repositoryOf, temporaryFolder } from '#test/support/repository.js'
import { holdCheckout } from './checkout.js'
import { reasonOf } from './environment.js'

describe('the reason that a person is told', () => {
  const denied = (code: string): Error => Object.assign(new Error(`${code}: lstat '/x'`), { code })

  it('says who may, where the system denied it', () => {
    for (const code of ['EACCES', 'EPERM'])
      equal(reasonOf(denied(code)), `${code}: lstat '/x'; run it as the user that owns the checkout`)
  })

  it('is else what the error says', () => {
    equal(reasonOf(denied('ENOSPC')), "ENOSPC: lstat '/x'")
    equal(reasonOf('odd'), 'odd')
  })
})

describe('a checkout that is held', () => {
  it('is the root of one: a state area among its files is one that git would take', async () => {
    const repository = repositoryOf({ 'encje/a.md': '### Wit\n' })
    const inside = join(repository.path, 'encje')
    for (const path of [inside, join(inside, 'głębiej')]) {
      mkdirSync(path, { recursive: true })
      const held = await holdCheckout(path, undefined, 'serve')
      deepEqual(held, {
        _tag: 'Left',
        left: {
          code: 64,
          reason: `${path} is a folder inside the checkout ${repository.path}; name ${repository.path} instead.`,
        },
      })
      equal(existsSync(join(path, '.svc')), false)
    }
    repository.dispose()
  })

  it('is not held through a link in the git folder, and nothing is written behind one', async () => {
    const [repository, elsewhere] = [repositoryOf({ 'encje/a.md': '### Wit\n' }), temporaryFolder()]
    const own = join(repository.path, '.git/kronika')
    const refused = async (link: string): Promise<void> =>
      deepEqual(await holdCheckout(repository.path, undefined, 'serve'), {
        _tag: 'Left',
        left: {
          code: 64,
          reason: `${link} is a symbolic link, which Kronika does not follow beside git; remove the link.`,
        },
      })
    symlinkSync(elsewhere.path, own)
    await refused(own)
    deepEqual(readdirSync(elsewhere.path), [])
    symlinkSync(join(elsewhere.path, 'none'), `${own}.new`)
    renameSync(`${own}.new`, own)
    await refused(own)
    rmSync(own)
    mkdirSync(own)
    const profile = join(elsewhere.path, 'profile')
    writeFileSync(profile, 'mine\n')
    symlinkSync(profile, join(own, 'fence.holder'))
    await refused(join(own, 'fence.holder'))
    equal(readFileSync(profile, 'utf8'), 'mine\n')
    repository.dispose()
    elsewhere.dispose()
  })

  it('is named: an empty name is not the folder that one stands in', async () => {
    const held = await holdCheckout('', undefined, 'serve')
    deepEqual(held, {
      _tag: 'Left',
      left: { code: 64, reason: 'the name of the lore directory is empty; name the lore checkout.' },
    })
  })
})

describe('a checkout that git or no host can read', () => {
  const stopOf = async (path: string, state?: string) => {
    const held = await holdCheckout(path, state, 'serve')
    if (held._tag === 'Left') return held.left
    await held.right.release()
    return null
  }

  it('ends the start with one line and 64 where the objects are named by SHA-256', async () => {
    const folder = temporaryFolder()
    const at = join(folder.path, 'lore')
    gitIn(folder.path, 'init', '-q', '--object-format=sha256', at)
    writeFileSync(join(at, 'Gracze.md'), 'x\n')
    for (const hasCommit of [false, true]) {
      if (hasCommit) gitIn(at, 'add', '-A')
      if (hasCommit) gitIn(at, 'commit', '-q', '-m', 'x')
      const stopped = await stopOf(at)
      equal(stopped?.code, 64)
      ok(stopped.reason.includes('sha256') && !stopped.reason.includes('\n'))
    }
    folder.dispose()
  })

  for (const [what, lines] of [
    ['an unquoted commentChar', '[core]\n\tcommentChar = #\n'],
    ['an unquoted semicolon', '[core]\n\tcommentChar = ;\n'],
    ['a section that does not end', '[core\n'],
    ['a number that is none', '[core]\n\tcompression = dużo\n'],
    ['a format of a newer git', '[core]\n\trepositoryformatversion = 7\n'],
  ] as const)
    it(`ends the start with 64 and what git says: ${what}`, async () => {
      const repository = repositoryOf({ 'encje/a.md': '### Wit\n' })
      appendFileSync(join(repository.path, '.git/config'), lines)
      const stopped = await stopOf(repository.path)
      equal(stopped?.code, 64)
      ok(/config|version/u.test(stopped.reason) && !stopped.reason.includes('\n'), stopped.reason)
      repository.dispose()
    })

  for (const [what, path, code] of [
    ['a file that the host reads', 'encje/*.md', 64],
    ['the configuration', '.svc/*', 64],
    ['files that it does not read', '*.png', null],
  ] as const)
    it(`is not served where a filter with a command is on ${what}, by the name of the filter`, async () => {
      const repository = repositoryOf({
        'encje/a.md': '### Wit\n',
        '.svc/format.json': '{"format": 2}\n',
        'a.png': 'x',
        '.gitattributes': `${path} filter=tajny\n`,
      })
      equal(await stopOf(repository.path), null, 'without a command')
      repository.git('config', 'filter.tajny.smudge', 'cat')
      const stopped = await stopOf(repository.path)
      deepEqual([stopped?.code ?? null, stopped?.reason.includes('tajny') ?? false], [code, code !== null])
      repository.dispose()
    })

  for (const [what, block] of [
    ['.svc/state', (path: string) => writeFileSync(join(path, '.svc/state'), '')],
    [
      '.svc',
      (path: string) => {
        rmSync(join(path, '.svc'), { recursive: true })
        writeFileSync(join(path, '.svc'), '')
      },
    ],
  ] as const)
    it(`starts with --state elsewhere where ${what} cannot be written, and not without it`, async () => {
      const [repository, elsewhere] = [repositoryOf({ 'encje/a.md': '### Wit\n' }), temporaryFolder()]
      mkdirSync(join(repository.path, '.svc'), { recursive: true })
      block(repository.path)
      equal(await stopOf(repository.path, join(elsewhere.path, 'state')), null)
      equal((await stopOf(repository.path))?.code, 74)
      repository.dispose()
      elsewhere.dispose()
    })
})
