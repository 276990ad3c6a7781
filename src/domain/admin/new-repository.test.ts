import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { planOf } from '#test/support/legacy/adoption.js'
import { newRepository } from './gate-arms.js'

describe('the repository of a new community', () => {
  it('has every file that adoption writes, so that adoption changes nothing', () => {
    const texts = Object.fromEntries(newRepository.map(({ path, text }) => [path, text]))
    const { changes, report } = planOf(texts)
    deepEqual(changes, [])
    deepEqual(report.Findings, [])
  })
})
