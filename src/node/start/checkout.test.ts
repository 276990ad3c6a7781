import { deepEqual, equal } from 'node:assert/strict'
import {
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
import { repositoryOf, temporaryFolder } from '#test/support/repository.js'
import { holdCheckout, reasonOf } from './checkout.js'

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
