import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { runsOf } from '#test/support/runs.js'
import { renderJsonInSlices } from './json-bytes.js'

const boundless = Number.POSITIVE_INFINITY

describe('JSON in slices', () => {
  it('is what JSON.stringify writes', () => {
    const leaf = fc.oneof(
      fc.string(),
      fc.double(),
      fc.boolean(),
      fc.constantFrom(null, undefined, new Date(0)),
    )
    const small = fc.letrec(tie => ({
      any: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.array(tie('any'), { maxLength: 6 }),
        fc.dictionary(fc.string(), tie('any'), { maxKeys: 6 }),
      ),
    })).any
    const long = fc.tuple(small, fc.nat(9_000)).map(([one, length]) => Array.from({ length }, () => one))
    const longText = fc.nat(300_000).map(length => 'ż"'.repeat(length))
    const value = fc.array(
      fc.oneof(small, long, longText, fc.record({ before: small, long, after: small })),
      {
        maxLength: 5,
      },
    )
    fc.assert(
      fc.property(value, one => {
        const body = { one }
        equal(atOnce(renderJsonInSlices(body, boundless))?.toString(), JSON.stringify(body))
      }),
      { numRuns: runsOf(60) },
    )
  }).timeout(60_000)

  const rows = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ at, text: 'wiersz '.repeat(9) }))
  const restsOf = (value: unknown, bytesMax = boundless): number =>
    [...renderJsonInSlices(value, bytesMax)].length

  it('rests as often as the value is long, wherever the length is', () => {
    const rests = restsOf(rows(40_000))
    ok(rests > 20, `${rests}`)
    ok(restsOf({ first: { deep: [1, { items: rows(40_000) }] } }) >= rests)
    ok(restsOf(Object.fromEntries(rows(40_000).entries())) >= rests)
    equal(restsOf(rows(10)), 0)
  })

  it('ends where it has more bytes than wanted, and renders nothing beyond', () => {
    const exact = Buffer.byteLength(JSON.stringify(rows(100)))
    deepEqual(
      [exact, exact - 1].map(bytesMax => atOnce(renderJsonInSlices(rows(100), bytesMax))?.length),
      [exact, undefined],
    )
    const toRender = {
      items: rows(40_000),
      last: { toJSON: () => ok(false, 'what lies beyond is rendered') },
    }
    equal(atOnce(renderJsonInSlices(toRender, 1_000_000)), null)
  })
})
