import { deepEqual, equal } from 'node:assert/strict'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'mocha'
import { repositoryOf } from '#test/support/repository.js'
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
          reason: `${path} is a part of the checkout ${repository.path}, where a state area would lie among its files; name ${repository.path}.`,
        },
      })
      equal(existsSync(join(path, '.svc')), false)
    }
    repository.dispose()
  })

  it('is named: an empty name is not the folder that one stands in', async () => {
    const held = await holdCheckout('', undefined, 'serve')
    deepEqual(held, {
      _tag: 'Left',
      left: { code: 64, reason: 'the directory of the lore is empty; name the lore checkout.' },
    })
  })
})
