import { deepEqual, equal } from 'node:assert/strict'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { bodyValuesMax } from '#protocol/bounds.js'
import { SessionReport } from '#protocol/sessions/session-body.js'
import { bodyBytesMax, decodeBody } from './body.js'

const head = '{"date":"2026-01-01","title":"x","narrators":["y"],"metadata":'

/** As many items as fit into the largest body. */
const full = (field: string, item: string): string => {
  const [before, after] = [`${head}{"${field}":[`, ']}}']
  const count = Math.floor((bodyBytesMax - before.length - after.length) / (item.length + 1))
  return `${before}${Array.from({ length: count }, () => item).join(',')}${after}`
}

const refusalOf = (body: string): string | null => {
  const decoded = decodeBody({ codec: SessionReport, unknownKeys: 'refused' }, Buffer.from(body))
  return isLeft(decoded) ? decoded.left._tag : null
}

/** A codec that accepts everything and counts its calls. */
const makeCountingCodec = () => {
  let asked = 0
  const item = new t.Type<unknown>(
    'Item',
    (_value): _value is unknown => true,
    value => {
      asked += 1
      return t.success(value)
    },
    value => value,
  )
  return { codec: t.array(item), asked: () => asked }
}

describe('the values of a body', () => {
  it('are counted before it is decoded, so that a MiB of wrong items costs no decode', () => {
    for (const [field, item] of [
      ['transfers', '{}'],
      ['participants', '0'],
      ['preserved', '[]'],
    ] as const)
      equal(refusalOf(full(field, item)), 'BodyTooLarge', field)
    const { codec, asked } = makeCountingCodec()
    const decoded = decodeBody(
      { codec, unknownKeys: 'ignored' },
      Buffer.from(JSON.stringify(Array.from({ length: 300_000 }, () => 0))),
    )
    deepEqual([isLeft(decoded) && decoded.left._tag, asked()], ['BodyTooLarge', 0])
  })

  it('are at most 5,000, lists and records included', () => {
    const { codec } = makeCountingCodec()
    const taken = (items: number): boolean =>
      isRight(
        decodeBody(
          { codec, unknownKeys: 'ignored' },
          Buffer.from(JSON.stringify(Array.from({ length: items }, () => 0))),
        ),
      )
    deepEqual([taken(bodyValuesMax - 1), taken(bodyValuesMax)], [true, false])
  })

  it('suffice for the largest session', () => {
    const change = { entity: 'e', tags: [{ tag: 'info', value: 'v' }] }
    const metadata = { changes: Array.from({ length: 500 }, () => change) }
    const narrators = Array.from({ length: 20 }, (_, at) => `n${at}`)
    equal(refusalOf(JSON.stringify({ date: '2026-01-01', title: 'x', narrators, metadata })), null)
  })
})
