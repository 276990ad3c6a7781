import { deepEqual, equal } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { type CapabilityId, capabilities } from '#protocol/atoms.js'
import { gradeOf, resolveCapabilities, viewOf } from './grade.js'
import { bundles } from './roles.js'

const setOfIds = (...ids: ReadonlyArray<string>): ReadonlySet<string> => new Set(ids)

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
      equal(gradeOf(setOfIds(...holds), capability), wanted))

  it('never falls when more is held', () => {
    const order = ['none', 'own', 'full']
    const ids = fc.subarray([...capabilities, 'pu.all', 'sync.read.own'])
    fc.assert(
      fc.property(ids, ids, fc.constantFrom(...capabilities), (some, more, capability) => {
        const less = order.indexOf(gradeOf(setOfIds(...some), capability))
        return less <= order.indexOf(gradeOf(setOfIds(...some, ...more), capability))
      }),
    )
  })

  it('shows restricted topics to those who award, edit or moderate', () => {
    equal(viewOf(setOfIds('lore.edit')).mayReadRestricted, true)
    equal(viewOf(setOfIds('player.read')).mayReadRestricted, false)
    equal(viewOf(setOfIds('session.all')).sessions, true)
  })

  it('resolves a bundle to the ids that it satisfies', () => {
    deepEqual(resolveCapabilities(setOfIds('admin.all')), capabilities)
    equal(
      resolveCapabilities(setOfIds(...(bundles['narrator'] ?? []))).includes('player.restricted.read'),
      true,
    )
    deepEqual(resolveCapabilities(setOfIds('pu.read')), ['pu.read', 'pu.read.own'])
  })
})
