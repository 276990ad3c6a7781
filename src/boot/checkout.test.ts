import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { reasonOf } from './checkout.js'

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
