import { deepEqual, equal } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import {
  DayText,
  EntityTypeText,
  Flag,
  NameText,
  queryKinds,
  StatusText,
  Text,
  windowQuery,
} from '#protocol/query.js'
import { queryOf } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import { asksDryRun, decodeQuery, readQueryPairs } from './query.js'

const codecs = { ...windowQuery, name: Text, fresh: Flag }

const readQuery = (text: string): unknown => {
  const pairs = readQueryPairs(text)
  if (isLeft(pairs)) return pairs.left._tag
  const query = decodeQuery(codecs, pairs.right)
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
    it(`reads ${text.slice(0, 40)} as ${JSON.stringify(wanted)}`, () => deepEqual(readQuery(text), wanted))

  const slips = ['dryRn', 'dryRunn', 'dyrRun', 'dryRum', 'ryRun', 'dry_ruin', 'dryRnu']
  const lists = ['dryRun[]', 'dryRun[0]', 'dry_run[12]', 'dryRn[]', 'dryRun[']
  for (const name of ['dryrun', 'DryRun', 'dry_run', 'dry-run', 'DRY_RUN', '_dryRun', ...slips, ...lists])
    it(`refuses ${name} on a row that takes dryRun, and ignores it elsewhere`, () => {
      const pairs = readQueryPairs(`${name}=true`)
      if (isLeft(pairs)) throw new Error(pairs.left.detail)
      const query = decodeQuery({ ...codecs, dryRun: Flag }, pairs.right)
      if (!isLeft(query)) throw new Error('it was taken')
      deepEqual([query.left._tag, query.left.parameter], ['ParameterInvalid', name])
      equal(query.left.detail.includes('dryRun=true'), true)
      deepEqual(readQuery(`${name}=true`), {})
    })

  for (const name of [
    ...['dryRun%3Dtrue', 'DRY_RUN%3Dtrue', 'dry-run%3d1', 'dryRun%253Dtrue', 'dryRun%3Atrue', 'dryRun%26x'],
    ...['dryRun[a]', 'dryRun[0][1]', 'dryRun%20%20', 'dryRun%0D%0A', 'dryRun12', 'dryRun_%3Dtrue'],
  ])
    it(`refuses ${name}, which goes on after dryRun, and does not repeat it`, () => {
      const pairs = readQueryPairs(`x=1&${name}`)
      if (isLeft(pairs)) throw new Error(pairs.left.detail)
      const query = decodeQuery({ ...codecs, dryRun: Flag }, pairs.right)
      if (!isLeft(query)) throw new Error('it was taken')
      deepEqual([query.left._tag, query.left.parameter], ['ParameterInvalid', 'dryRun'])
      deepEqual(readQuery(name), {})
    })

  it('repeats no credential that follows dryRun', () => {
    const pairs = readQueryPairs('dryRun%3Dtajemnica-tajemnica')
    if (isLeft(pairs)) throw new Error(pairs.left.detail)
    const query = decodeQuery({ ...codecs, dryRun: Flag }, pairs.right)
    equal(isLeft(query) && !JSON.stringify(query.left).includes('tajemnica'), true)
  })

  it('ignores a name that is two slips or more from dryRun', () => {
    const far = ['run', 'dry', 'dryRuns2', 'dry-run-mode', 'tryRum', 'draftRun', 'run[]', 'x'.repeat(100_000)]
    for (const name of [...far, '['.repeat(100_000), `${'[1'.repeat(50_000)}]`]) {
      const pairs = readQueryPairs(`${name}=true`)
      if (isLeft(pairs)) throw new Error(pairs.left.detail)
      deepEqual(decodeQuery({ ...codecs, dryRun: Flag }, pairs.right)._tag, 'Right', name.slice(0, 20))
    }
  })

  const refused = { fresh: Flag, day: DayText, type: EntityTypeText, status: StatusText, who: NameText }
  for (const [text, wants] of [
    ['fresh=yes', 'true or false'],
    ['day=wczoraj', 'a day YYYY-MM-DD'],
    ['type=Smok', 'one of NPC, Grupa, Lokacja, Mapa, Gracz, Postać, Przedmiot, Region'],
    ['status=x', 'one of Aktywny, Nieaktywny, Usunięty, Niepewny'],
    ['who=+', 'a name that is not blank'],
  ] as const)
    it(`tells who sends ${text} what to send`, () => {
      const pairs = readQueryPairs(text)
      if (isLeft(pairs)) throw new Error(pairs.left.detail)
      const query = decodeQuery(refused, pairs.right)
      equal(isLeft(query) && query.left.detail, `The parameter ${text.split('=')[0]} must be ${wants}.`)
    })

  it('has words for every kind of parameter in the route table', () => {
    const kinds = Object.values(routes).flatMap(row => Object.values(queryOf(row)).map(codec => codec.name))
    deepEqual(
      kinds.filter(kind => queryKinds[kind] === undefined),
      [],
    )
  })

  it('has one key for one meaning, whatever the order and the unknown parameters', () => {
    const keyOf = (text: string): string => {
      const pairs = readQueryPairs(text)
      if (isLeft(pairs)) return 'refused'
      const query = decodeQuery(codecs, pairs.right)
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
