import { deepEqual, equal } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { describe, it } from 'mocha'
import { firstOffence, type Offence } from './report.js'

const Codec = t.intersection([
  t.type({ name: t.string, awards: t.readonlyArray(t.type({ month: t.number })) }),
  t.partial({ kind: t.union([t.literal('a'), t.literal('b')]) }),
])

const offence = (value: unknown): Offence | null => {
  const decoded = Codec.decode(value)
  return isLeft(decoded) ? firstOffence(decoded.left) : null
}

describe('the report of a decode', () => {
  it('names the place as the caller wrote it and what is wanted there', () => {
    deepEqual(offence({ name: 'x', awards: [{ month: 1 }, { month: 'secret' }] }), {
      path: '$.awards[1].month',
      expected: 'number',
    })
    equal(offence({ name: 'x', awards: [], kind: 'c' })?.path, '$.kind')
    equal(offence([])?.path, '$')
  })

  it('never repeats a value', () => {
    const text = JSON.stringify(offence({ name: { token: 'sess_secret' }, awards: [] }))
    equal(text.includes('secret'), false)
  })
})
