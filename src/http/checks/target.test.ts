import { deepEqual, equal } from 'node:assert/strict'
import fc from 'fast-check'
import * as t from 'io-ts'
import { describe, it } from 'mocha'
import { read } from '#protocol/route.js'
import { answerWith } from '#test/support/front.js'
import { bindHandlers, matcherOf } from '../routing/matcher.js'
import { rememberTargets } from './query.js'

const row = { summary: '', capability: 'entity.read', query: {}, refusals: [], source: '' } as const
const answers = { 200: t.UnknownRecord }
const table = {
  all: read({ ...row, path: '/entities', answers }),
  one: read({ ...row, path: '/entities/{name}', answers }),
  claim: read({ ...row, path: '/claims/{code}', answers }),
}
const handlers = { all: answerWith({}), one: answerWith({}), claim: answerWith({}) }
const match = matcherOf(bindHandlers(table, handlers), '/v1/api')

describe('what a method and a path say', () => {
  it('is the same when it is remembered', () => {
    const targetOf = rememberTargets(match)
    const segment = fc.oneof(
      fc.constantFrom(
        'entities',
        'claims',
        'Kupiec%20Orrin',
        '%C5%BBaneta',
        '%zz',
        '',
        '%00',
        'x'.repeat(300),
      ),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
    )
    const paths = fc.array(segment, { maxLength: 3 }).map(parts => ['/v1/api', ...parts].join('/'))
    fc.assert(
      fc.property(fc.constantFrom('GET', 'POST', 'HEAD'), paths, (method, path) => {
        for (let time = 0; time < 2; time += 1) deepEqual(targetOf(method, path).found, match(method, path))
      }),
    )
  })

  it('has the template in place of a path that opens something, and nothing where no row matched', () => {
    const targetOf = rememberTargets(match)
    equal(targetOf('GET', '/v1/api/claims/ABCD').recordedPath, '/claims/{code}')
    equal(targetOf('GET', '/v1/api/entities/Kupiec%20Orrin').recordedPath, '/v1/api/entities/Kupiec Orrin')
    equal(targetOf('GET', '/v1/api/other').recordedPath, null)
    equal(targetOf('POST', '/v1/api/entities').recordedPath, null)
  })

  it('is one value for one path of a read', () => {
    const targetOf = rememberTargets(match)
    equal(targetOf('GET', '/v1/api/entities/x'), targetOf('GET', '/v1/api/entities/x'))
  })
})
