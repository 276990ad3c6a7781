import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  compareDecimals,
  type Decimal,
  decimalOf,
  floorQuotient,
  formatFixed2,
  maxOf,
  minOf,
  minus,
  parseDecimal,
  plus,
  round2,
  times,
  toNumber,
  zero,
} from './decimal.js'

const of = (text: string): Decimal => {
  const value = parseDecimal(text)
  assert.ok(value !== null, text)
  return value
}

const decimals = fc
  .tuple(fc.bigInt(-(10n ** 12n), 10n ** 12n), fc.integer({ min: 0, max: 6 }))
  .map(([units, scale]): Decimal => ({ units, scale }))

const same = (left: Decimal, right: Decimal): void => assert.equal(compareDecimals(left, right), 0)

describe('decimal', () => {
  it('reads a comma as a point and refuses what is no number', () => {
    assert.equal(formatFixed2(of('0,35')), '0.35')
    assert.equal(formatFixed2(of('-12.5')), '-12.50')
    for (const text of ['', 'trzy', '1.2.3', '.5', '1.', 'NaN', 'Infinity', '9'.repeat(31)])
      assert.equal(parseDecimal(text), null, text)
  })

  it('adds a tenth and two tenths to three tenths', () => {
    assert.equal(formatFixed2(plus(of('0.1'), of('0.2'))), '0.30')
    assert.equal(toNumber(plus(of('0.1'), of('0.2'))), 0.3)
  })

  it('rounds half to even', () => {
    const rounded = ['0.005', '0.015', '0.025', '0.0250001', '-0.005', '-0.015', '1.004', '1.006'].map(text =>
      formatFixed2(round2(of(text))),
    )
    assert.deepEqual(rounded, ['0.00', '0.02', '0.02', '0.03', '0.00', '-0.02', '1.00', '1.01'])
  })

  it('floors a quotient towards minus infinity', () => {
    const floors = ['7.5', '-7.5', '8', '0'].map(text => floorQuotient(of(text), of('2')))
    assert.deepEqual(
      floors.map(value => (value === null ? null : Number(value.units))),
      [3, -4, 4, 0],
    )
    assert.equal(floorQuotient(of('1'), zero), null)
  })

  it('reads back every number of two places that JSON writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100_000_000, max: 100_000_000 }), cents => {
        const text = formatFixed2({ units: BigInt(cents), scale: 2 })
        const value = decimalOf(Number(text))
        assert.ok(value !== null)
        assert.equal(formatFixed2(value), text)
      }),
    )
  })

  it('is a commutative group under addition, and distributes', () => {
    fc.assert(
      fc.property(decimals, decimals, decimals, (a, b, c) => {
        same(plus(a, b), plus(b, a))
        same(plus(plus(a, b), c), plus(a, plus(b, c)))
        same(minus(plus(a, b), b), a)
        same(times(a, plus(b, c)), plus(times(a, b), times(a, c)))
      }),
    )
  })

  it('orders totally, and rounding moves a value by at most half a hundredth', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        same(plus(minOf(a, b), maxOf(a, b)), plus(a, b))
        const moved = minus(round2(a), a)
        assert.ok(compareDecimals(moved, of('0.005')) <= 0 && compareDecimals(moved, of('-0.005')) >= 0)
        assert.deepEqual(round2(round2(a)), round2(a))
      }),
    )
  })
})
