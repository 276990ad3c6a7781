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
  numberAt,
  plus,
  readDecimal,
  readQuantity,
  round2,
  sumText,
  times,
  toNumber,
  zero,
} from './figures.js'

const of = (text: string): Decimal => {
  const value = readDecimal(text)
  assert.ok(value !== null, text)
  return value
}

const decimals = fc
  .tuple(fc.bigInt(-(10n ** 12n), 10n ** 12n), fc.integer({ min: 0, max: 6 }))
  .map(([units, scale]): Decimal => ({ units, scale }))

const same = (left: Decimal, right: Decimal): void => assert.equal(compareDecimals(left, right), 0)

describe('decimal', () => {
  it('reads a comma as a point, blanks between groups of three, and ignores a remark', () => {
    const read: ReadonlyArray<readonly [string, string]> = [
      ['0,35', '0.35'],
      ['-12.5', '-12.50'],
      ['\u221212,5', '-12.50'],
      ['007', '7.00'],
      [' 31,25 ', '31.25'],
      ['1 000', '1000.00'],
      ['1\u00a0234\u202f567,891', '1234567.89'],
      ['0,3 (za finał)', '0.30'],
      ['0,3\u00a0(za finał)', '0.30'],
      ['5 PU za sesję 12', '5.00'],
      ['12 000 zł', '12000.00'],
      ['3\nza dwie sesje', '3.00'],
      ['9'.repeat(15), `${'9'.repeat(15)}.00`],
    ]
    for (const [text, value] of read) assert.equal(formatFixed2(of(text)), value, text)
  })

  it('refuses what is no whole number token', () => {
    const refused = [
      ...['', 'trzy', '.5', ',5', '1.', '1,', '1.2.3', '1,2,3', '1.000,5', 'NaN', 'Infinity', '9'.repeat(16)],
      ...[
        '1/2',
        '0·5',
        '5,O',
        '10%',
        '2x0,5',
        '1e2',
        '1e3',
        '10 00',
        '1000 000',
        '1 0000',
        '1  000',
        '1 000 00',
      ],
      ...[
        '0,5pkt',
        '0,5-0,7',
        '0,5 - 0,7',
        '~0,5',
        '+0,5',
        '--1',
        '- 1',
        '–1',
        '½',
        '٣',
        '1_000',
        "1'000",
        '0x1f',
      ],
      ...['0,5; za finał', '0,5 *', '0,5 0,5', '1 000 ,5', '1\t000', '1\n000'],
    ]
    for (const text of refused) assert.equal(readDecimal(text), null, text)
  })

  it('reads what the grammar says, character by character', () => {
    const alphabet = Array.from('012345678900055,.  \u00a0\u202f-\u2212+eą()/%')
    /** The grammar of docs/spec/lore-points.md#numbers without regular expressions over the whole text. */
    const expected = (text: string): string | null => {
      const trimmed = text.trim()
      const unsigned = /^[-\u2212]/u.test(trimmed) ? trimmed.slice(1) : trimmed
      let remark = -1
      for (let at = 1; at < unsigned.length && remark < 0; at += 1)
        if (unsigned.charAt(at - 1).trim() === '' && /[\p{L}(]/u.test(unsigned.charAt(at))) remark = at
      const number = (remark < 0 ? unsigned : unsigned.slice(0, remark)).trimEnd()
      const [whole = '', fraction, ...more] = number.split(/[.,]/u)
      const groups = whole.split(/[ \u00a0\u202f]/u)
      const isDigits = (part: string): boolean =>
        part !== '' && Array.from(part).every(sign => sign >= '0' && sign <= '9')
      const isGrouped =
        groups.length === 1 ||
        ((groups[0] ?? '').length <= 3 && groups.slice(1).every(group => group.length === 3))
      if (more.length > 0 || !groups.every(isDigits) || !isGrouped || groups.join('').length > 15) return null
      if (fraction !== undefined && (!isDigits(fraction) || fraction.length > 15)) return null
      return `${unsigned === trimmed ? '' : '-'}${groups.join('')}.${fraction ?? '0'}`
    }
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...alphabet), { maxLength: 14 }), signs => {
        const text = signs.join('')
        const [value, wanted] = [readDecimal(text), expected(text)]
        assert.equal(value === null, wanted === null, JSON.stringify(text))
        if (value !== null) same(value, of((wanted ?? '').replace('.', ',')))
      }),
      { numRuns: 5_000 },
    )
  })

  it('takes only the signs that it is asked for', () => {
    const signed = ['1', '-1', '\u22121', '+1'].map(text =>
      (['none', 'minus', 'either'] as const).map(signs => readQuantity(text, signs)),
    )
    assert.deepEqual(signed, [
      [1, 1, 1],
      [null, -1, -1],
      [null, -1, -1],
      [null, null, 1],
    ])
  })

  it('reads whole quantities only, and adds them up to 15 digits', () => {
    assert.deepEqual(
      ['25 sztuk', '1 000', '2,5', '2,0', '-0'].map(text => readQuantity(text)),
      [25, 1000, null, 2, 0],
    )
    assert.deepEqual([sumText(-3, 1), sumText(10 ** 15 - 1, 1)], ['-2', null])
  })

  it('ends where the number ends, and keeps the digits as they are written', () => {
    const number = numberAt('Anna: 1 000,50 (za finał)', 5, 'none')
    assert.deepEqual([number?.digits, number?.end], ['1000.50', 14])
  })

  it('reads the text that JSON has of a number', () => {
    assert.deepEqual(
      [1e-7, 1e21, -0.1, 2.675, Number.NaN].map(value => decimalOf(value)),
      [
        { units: 1n, scale: 7 },
        { units: 10n ** 21n, scale: 0 },
        { units: -1n, scale: 1 },
        { units: 2675n, scale: 3 },
        null,
      ],
    )
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
