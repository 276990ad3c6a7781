import { deepEqual, equal } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { describe, it } from 'mocha'
import { read } from '#protocol/route.js'
import { answerWith } from '#test/support/front.js'
import { bindHandlers, matcherOf } from './matcher.js'

const row = {
  summary: '',
  capability: null,
  query: {},
  answers: { 200: t.unknown },
  refusals: [],
  source: '',
} as const
const table = {
  one: read({ ...row, path: '/entities/{name}' }),
  links: read({ ...row, path: '/entities/links' }),
  of: read({ ...row, path: '/entities/{name}/timeline' }),
  deep: read({ ...row, path: '/entities/links/{kind}/x' }),
} as const
const nothing = answerWith(null)
const match = matcherOf(
  bindHandlers(table, { one: nothing, links: nothing, of: nothing, deep: nothing }),
  '/v1/api',
)

const describeMatch = (path: string): string => {
  const result = match('GET', path)
  if (isLeft(result)) return result.left
  return result.right === null
    ? 'none'
    : [result.right.served.id, ...Object.values(result.right.path)].join(' ')
}

describe('the matcher', () => {
  for (const [input, answer] of [
    ['/v1/api/entities/Orrin', 'one Orrin'],
    ['/v1/api/entities/links', 'links'],
    ['/v1/api/entities/links/timeline', 'of links'],
    ['/v1/api/entities/a%2Fb', 'one a/b'],
    ['/v1/api/entities/a%252Fb', 'one a%2Fb'],
    ['/v1/api/entities/%C5%BB%C3%B3%C5%82w', 'one Żółw'],
    ['/v1/api/entities/a+b', 'one a+b'],
    ['/v1/api/entities/..%2F..%2Fetc%2Fpasswd', 'one ../../etc/passwd'],
    ['/v1/api/entities/', 'none'],
    ['/v1/api/entities/Orrin/', 'none'],
    ['/v1/api//entities/Orrin', 'none'],
    ['/v1/apix/entities/Orrin', 'none'],
    ['/v1/api', 'none'],
    ['/', 'none'],
    ['*', 'none'],
    ['/v1/api/entities/%zz', 'MalformedEscape'],
    ['/v1/api/entities/%ff', 'MalformedEscape'],
    ['/elsewhere/%', 'MalformedEscape'],
    ['/v1/api/entities/a%00b', 'none'],
    ['/v1/api/entities/a%0Ab', 'none'],
  ] as const)
    it(`takes ${input} for ${answer}`, () => equal(describeMatch(input), answer))

  it('takes a parameter of 1,000 characters, and cuts a longer one to a text that is too long for any name', () => {
    const long = encodeURIComponent('ż'.repeat(1000))
    equal(describeMatch(`/v1/api/entities/${long}`).length, 1004)
    equal(describeMatch(`/v1/api/entities/${long}abc`), describeMatch(`/v1/api/entities/${long}%E2%80%A6`))
    equal(
      describeMatch(`/v1/api/entities/${encodeURIComponent('\u{1f409}'.repeat(1000))}`).startsWith('one'),
      true,
    )
  })

  it('knows a path by its method', () => {
    deepEqual(match('HEAD', '/v1/api/entities/Orrin'), { _tag: 'Right', right: null })
  })
})
