import { deepEqual, equal } from 'node:assert/strict'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { bodyValuesMax } from '#protocol/bounds.js'
import { SessionReport } from '#protocol/lore/session-writes.js'
import { decodeBody } from '../../../test/support/at-once.js'
import { bodyBytesMax, decodeBodyInSlices } from './body.js'

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

  describe('of a long list', () => {
    const query = t.union([t.string, t.type({ name: t.string })])
    const codec = t.intersection([t.type({ queries: t.readonlyArray(query) }), t.partial({ topN: t.Int })])
    const longList = { field: 'queries', item: query, itemsMax: 10_000 }
    const decode = (body: object | string) =>
      decodeBody(
        { codec, unknownKeys: 'refused', longList },
        Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      )
    const problemsOf = (body: object | string) => {
      const decoded = decode(body)
      return isLeft(decoded) && decoded.left._tag === 'BodyInvalid' ? decoded.left.problems : null
    }

    it('are limited by its items alone', () => {
      const queries = Array.from({ length: 10_000 }, (_, at) => (at % 2 === 0 ? 'x' : { name: 'y' }))
      const decoded = decode({ queries, topN: 3 })
      deepEqual(JSON.parse(JSON.stringify(decoded)), { _tag: 'Right', right: { queries, topN: 3 } })
      const many = Array.from({ length: 300_000 }, () => '')
      deepEqual(problemsOf({ queries: many }), [{ path: '$.queries', expected: 'at most 10000 items' }])
    })

    it('are decoded one by one, each fault with its place, at most 20', () => {
      deepEqual(problemsOf({ queries: ['x', 1, { name: 2 }, { name: 'z', extra: 1 }] }), [
        { path: '$.queries[1]', expected: 'a text or an object' },
        { path: '$.queries[2].name', expected: 'a text' },
        { path: '$.queries[3].extra', expected: 'one of the keys name' },
      ])
      equal(problemsOf({ queries: Array.from({ length: 9_000 }, () => 1) })?.length, 20)
    })

    it('are refused with the other fields, or where the list is none', () => {
      deepEqual(problemsOf({ queries: 'x' }), [
        { path: '$.queries', expected: 'a list of which each item is a text or an object' },
      ])
      deepEqual(problemsOf({ queries: [], topN: 1.5 }), [{ path: '$.topN', expected: 'a whole number' }])
      deepEqual(problemsOf('[]')?.[0]?.path, '$')
      deepEqual(problemsOf('{"queries":["x"],"constructor":1}'), [
        { path: '$.constructor', expected: 'one of the keys queries, topN' },
      ])
    })

    it('yield between its items and while they are parsed', () => {
      const body = Buffer.from(JSON.stringify({ queries: Array.from({ length: 10_000 }, () => 'x') }))
      const work = decodeBodyInSlices({ codec, unknownKeys: 'refused', longList }, body)
      let yields = 0
      for (let slice = work.next(); slice.done !== true; slice = work.next()) yields += 1
      equal(yields > 150, true, String(yields))
    })
  })

  it('suffice for the largest session', () => {
    const change = { entity: 'e', tags: [{ tag: 'info', value: 'v' }] }
    const metadata = { changes: Array.from({ length: 500 }, () => change) }
    const narrators = Array.from({ length: 20 }, (_, at) => `n${at}`)
    equal(refusalOf(JSON.stringify({ date: '2026-01-01', title: 'x', narrators, metadata })), null)
  })
})
