import { deepEqual, equal } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { type CapabilityId, capabilities } from '#protocol/atoms/capability.js'
import { bundles } from './bundles.js'
import { grade, resolved, viewOf } from './grade.js'

const holding = (...ids: ReadonlyArray<string>): ReadonlySet<string> => new Set(ids)

describe('the grade of a capability', () => {
  const cases: ReadonlyArray<readonly [ReadonlyArray<string>, CapabilityId, string]> = [
    [['pu.read'], 'pu.read', 'full'],
    [['pu.all'], 'pu.award', 'full'],
    [['admin.all'], 'sejf.read', 'full'],
    [['pu.read.own'], 'pu.read', 'own'],
    [['pu.read.own'], 'pu.award', 'none'],
    [['pu.read'], 'pu.read.own', 'full'],
    [['player.all'], 'pu.read', 'none'],
    [['log.fetch'], 'log.fetch.request', 'none'],
    [['sync.read.own', 'sync.run.own'], 'sync.run', 'none'],
    [['docs.edit', 'docs.all'], 'docs.edit', 'none'],
    [['admin.all'], 'docs.edit', 'full'],
    [[], 'entity.read', 'none'],
  ]
  for (const [holds, capability, wanted] of cases)
    it(`of ${capability} is ${wanted} with ${holds.join(', ') || 'nothing'}`, () =>
      equal(grade(holding(...holds), capability), wanted))

  it('never falls when more is held', () => {
    const order = ['none', 'own', 'full']
    const ids = fc.subarray([...capabilities, 'pu.all', 'sync.read.own'])
    fc.assert(
      fc.property(ids, ids, fc.constantFrom(...capabilities), (some, more, capability) => {
        const less = order.indexOf(grade(holding(...some), capability))
        return less <= order.indexOf(grade(holding(...some, ...more), capability))
      }),
    )
  })

  it('shows restricted topics to those who award, edit or moderate', () => {
    equal(viewOf(holding('lore.edit')).restricted, true)
    equal(viewOf(holding('player.read')).restricted, false)
    equal(viewOf(holding('session.all')).sessions, true)
  })

  it('resolves a bundle to the ids that it satisfies', () => {
    deepEqual(resolved(holding('admin.all')), capabilities)
    equal(resolved(holding(...(bundles['narrator'] ?? []))).includes('player.restricted.read'), true)
    deepEqual(resolved(holding('pu.read')), ['pu.read', 'pu.read.own'])
  })
})
