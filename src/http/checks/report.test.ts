import { deepEqual, equal } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { describe, it } from 'mocha'
import { Day, EntityType, entityTypes, Month } from '#protocol/atoms.js'
import { BatchBody } from '#protocol/lore/sessions.js'
import type { BodyProblem } from '#protocol/refusal.js'
import { describeCodec, problemsOf } from './query.js'

const Codec = t.intersection([
  t.type({ name: t.string, awards: t.readonlyArray(t.type({ month: t.number })) }),
  t.partial({ kind: t.union([t.literal('a'), t.literal('b')]) }),
])

const offence = (value: unknown): BodyProblem | null => {
  const decoded = Codec.decode(value)
  return isLeft(decoded) ? (problemsOf(decoded.left)[0] ?? null) : null
}

describe('the report of a decode', () => {
  it('names the place as the caller wrote it and what is wanted there', () => {
    deepEqual(offence({ name: 'x', awards: [{ month: 1 }, { month: 'secret' }] }), {
      path: '$.awards[1].month',
      expected: 'a number',
    })
    deepEqual(offence({ name: 'x', awards: [], kind: 'c' }), {
      path: '$.kind',
      expected: 'a or b',
    })
    equal(offence([])?.path, '$')
  })

  it('says in words what is wanted', () => {
    for (const [codec, words] of [
      [BatchBody, 'an object'],
      [t.readonlyArray(t.string), 'a list of texts'],
      [t.array(t.type({ a: t.string })), 'a list of objects'],
      [t.readonlyArray(EntityType), `a list of which each item is one of ${entityTypes.join(', ')}`],
      [t.keyof({ tak: null, nie: null }), 'one of tak, nie'],
      [t.union([t.string, t.null]), 'a text or null'],
      [Day, 'a day YYYY-MM-DD'],
      [Month, 'a month YYYY-MM'],
    ] as const)
      equal(describeCodec(codec), words)
    const body = BatchBody.decode({ headers: 'x' })
    deepEqual(isLeft(body) && problemsOf(body.left)[0], { path: '$.headers', expected: 'a list of texts' })
  })

  it('never repeats a value', () => {
    const text = JSON.stringify(offence({ name: { token: 'sess_secret' }, awards: [] }))
    equal(text.includes('secret'), false)
  })
})
