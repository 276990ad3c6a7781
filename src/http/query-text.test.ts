import { deepEqual, equal } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { Flag, Text, windowQuery } from '#protocol/query.js'
import { asksDryRun, decodedQuery, queryPairs } from './query-text.js'

const codecs = { ...windowQuery, name: Text, fresh: Flag }

const read = (text: string): unknown => {
  const pairs = queryPairs(text)
  if (isLeft(pairs)) return pairs.left._tag
  const query = decodedQuery(codecs, pairs.right)
  return isLeft(query) ? `${query.left._tag} ${query.left.parameter}` : query.right.values
}

describe('the query', () => {
  for (const [text, wanted] of [
    ['', {}],
    ['&&', {}],
    ['limit=-1', { limit: null }],
    ['limit=abc', { limit: null }],
    ['limit=1000000000', { limit: null }],
    ['offset=-5', { offset: 0 }],
    ['name=a+b%2Bc', { name: 'a b+c' }],
    ['name', { name: '' }],
    ['name=a=b', { name: 'a=b' }],
    ['unknown=1&unknown=2', {}],
    ['name[]=1&limit[a]=2', {}],
    ['__proto__=1&constructor=2', {}],
    ['fresh=yes', 'ParameterInvalid fresh'],
    ['name=a&name=b', 'ParameterInvalid name'],
    ['name=%zz', 'RequestMalformed'],
    ['%ff=1', 'RequestMalformed'],
    [Array.from({ length: 1000 }, () => 'x=1').join('&'), {}],
    [Array.from({ length: 1001 }, () => 'x=1').join('&'), 'RequestMalformed'],
  ] as const)
    it(`reads ${text.slice(0, 40)} as ${JSON.stringify(wanted)}`, () => deepEqual(read(text), wanted))

  it('has one key for one meaning, whatever the order and the unknown parameters', () => {
    const keyOf = (text: string): string => {
      const pairs = queryPairs(text)
      if (isLeft(pairs)) return 'refused'
      const query = decodedQuery(codecs, pairs.right)
      return isLeft(query) ? 'refused' : query.right.key
    }
    equal(keyOf('name=a&limit=2&x=1'), keyOf('limit=2&name=%61'))
    equal(keyOf('name=a%26limit%3D2') === keyOf('name=a&limit=2'), false)
  })

  it('asks for a dry run by the word true alone', () => {
    equal(asksDryRun([['dryRun', 'true']]), true)
    equal(asksDryRun([['dryRun', '1']]), false)
  })
})
