import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  compareDecimals,
  type Decimal,
  minus,
  numberOrNull,
  plus,
  sumOf,
  zero,
} from '#src/domain/lore/figures.js'
import { constants, dec } from '#test/support/pu-world.js'
import { grantOf, type PointsGrant } from './batches.js'

const cents = (max: number) =>
  fc.integer({ min: 0, max }).map((units): Decimal => ({ units: BigInt(units), scale: 2 }))

const describeGrant = (grant: PointsGrant): ReadonlyArray<number | null> =>
  [grant.base, grant.used, grant.overflow, grant.granted, grant.pool].map(numberOrNull)

describe('a month’s grant (FORMATS 6.4)', () => {
  it('tops up from the pool, worked example A', () => {
    assert.deepEqual(describeGrant(grantOf(dec('1.25'), dec('2.10'), constants)), [2.25, 2.1, 0, 4.35, 0])
  })

  it('carries the overflow into the pool, worked example B', () => {
    assert.deepEqual(describeGrant(grantOf(dec('4.75'), dec('0.60'), constants)), [5.75, 0, 0.75, 5, 1.35])
  })

  it('leaves the pool alone at exactly the cap, and draws only as much as there is room', () => {
    assert.deepEqual(describeGrant(grantOf(dec('4'), dec('3'), constants)), [5, 0, 0, 5, 3])
    assert.deepEqual(describeGrant(grantOf(dec('2.2'), dec('4'), constants)), [3.2, 1.8, 0, 5, 2.2])
  })

  it('conserves PU: base, sessions and pool before are granted or in the pool after', () => {
    fc.assert(
      fc.property(cents(2000), cents(2000), (sessions, pool) => {
        const grant = grantOf(sessions, pool, constants)
        const before = sumOf([constants.monthlyBase, sessions, pool])
        assert.equal(compareDecimals(plus(grant.granted, grant.pool), before), 0)
        assert.ok(compareDecimals(grant.granted, constants.monthlyCap) <= 0)
        assert.ok(compareDecimals(grant.pool, zero) >= 0 && compareDecimals(grant.used, zero) >= 0)
        assert.ok(compareDecimals(minus(grant.pool, pool), minus(zero, grant.used)) >= 0)
      }),
    )
  })

  it('grants more for more, and never draws and overflows at once', () => {
    fc.assert(
      fc.property(cents(1000), cents(1000), cents(1000), (less, more, pool) => {
        const [small, large] = [grantOf(less, pool, constants), grantOf(plus(less, more), pool, constants)]
        assert.ok(
          compareDecimals(small.granted, large.granted) <= 0 && compareDecimals(small.pool, large.pool) <= 0,
        )
        assert.ok(compareDecimals(large.used, zero) === 0 || compareDecimals(large.overflow, zero) === 0)
      }),
    )
  })
})
