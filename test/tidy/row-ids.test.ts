import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { answerExamples } from '#protocol/answer-examples.js'
import type { Method, Route } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import { readField } from './manifest.js'

const rows: ReadonlyArray<readonly [string, Route]> = Object.entries(routes)

/** One or two nouns and a verb, each in camelCase. */
const idPattern = /^[a-z][A-Za-z0-9]*(?:\.[a-z][A-Za-z0-9]*){1,2}$/

/**
 * The verbs that a row of the method may begin its last word with. A verb that is not here is a new word for the
 * project: add one only where none of these says it.
 */
const verbs: Readonly<Record<Method, ReadonlyArray<string>>> = {
  GET: ['claim', 'get', 'list', 'stream'],
  POST: [
    'award',
    'query',
    ...['fetch', 'import', 'parse', 'refresh', 'reparse'],
    ...[
      'accept',
      'add',
      'apply',
      'assign',
      'close',
      'compare',
      'confirm',
      'create',
      'distribute',
      'finalize',
      'find',
      'get',
      'grant',
      'hash',
      'issue',
      'link',
      'list',
      'mint',
    ],
    'confirm',
    ...['open', 'rebaseline', 'rebuild', 'regenerate', 'register', 'reindex', 'rename', 'report', 'revoke'],
    ...['promote', 'rollback', 'run', 'send', 'set', 'shutdown', 'sign', 'start'],
  ],
  PUT: ['replace', 'set'],
  PATCH: ['update'],
  DELETE: ['delete', 'remove', 'revoke'],
}

const camelCase = (segments: ReadonlyArray<string>): string =>
  segments.join('-').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())

/** Segments of a path without its parameters. */
const segmentsWithoutParameters = (path: string): ReadonlyArray<string> =>
  path.split('/').filter(segment => segment !== '' && !segment.startsWith('{'))

/**
 * Whether the nouns are those of the path: the first is its first segment, the second its other segments. The last
 * segment may be the end of the verb instead: `/capabilities/grant` is `capabilities.grant`.
 */
const hasNounsOfPath = (id: string, path: string): boolean => {
  const [first = '', ...rest] = segmentsWithoutParameters(path)
  const words = id.split('.')
  const verb = words.at(-1) ?? ''
  const nouns = words.slice(0, -1).join('.')
  const nounsOf = (second: ReadonlyArray<string>): string =>
    [camelCase([first]), ...(second.length === 0 ? [] : [camelCase(second)])].join('.')
  const last = camelCase(rest.slice(-1))
  const isLastInVerb = last !== '' && verb.toLowerCase().endsWith(last.toLowerCase())
  return nouns === nounsOf(rest) || (isLastInVerb && nouns === nounsOf(rest.slice(0, -1)))
}

/** What the id breaks of the rule; empty for a good one. */
const faultsOf = (id: string, { method, path }: Pick<Route, 'method' | 'path'>): ReadonlyArray<string> => {
  const verb = /^[a-z]+/.exec(id.split('.').at(-1) ?? '')?.[0] ?? ''
  return [
    ...(idPattern.test(id) ? [] : ['form']),
    ...(hasNounsOfPath(id, path) ? [] : ['nouns']),
    ...(verbs[method].includes(verb) ? [] : ['verb']),
  ]
}

describe('the ids of rows', () => {
  it('are <noun>.<verb> or <noun>.<noun>.<verb>: nouns of the path, a verb for the method', () => {
    deepEqual(
      rows.flatMap(([id, row]) =>
        faultsOf(id, row).map(fault => `${id} (${row.method} ${row.path}): ${fault}`),
      ),
      [],
    )
  })

  it('are refused where a word is missing, the noun is of another path or the verb of another method', () => {
    for (const [id, method, path, faults] of [
      ['entities.links.list', 'GET', '/entities/links', []],
      ['entities.rename', 'POST', '/entities/{name}/name', []],
      ['entitiesLinks', 'GET', '/entities/links', ['form', 'nouns', 'verb']],
      ['entities.all.links.list', 'GET', '/entities/all/links', ['form', 'nouns']],
      ['people.list', 'GET', '/entities', ['nouns']],
      ['entities.list', 'GET', '/entities/links', ['nouns']],
      ['entities.one', 'GET', '/entities/{name}', ['verb']],
      ['entities.set', 'PATCH', '/entities/{name}', ['verb']],
    ] as const)
      deepEqual(faultsOf(id, { method, path }), faults, id)
  })

  it('say list for an answer with `count`, and get for any other', () => {
    for (const [id] of rows) {
      const verb = id.split('.').at(-1)
      const body = answerExamples[id]?.find(({ asked }) => asked === 'as it is')?.body
      const isList = typeof body === 'object' && body !== null && 'count' in body
      if (verb === 'list' || verb === 'get') equal(verb, isList ? 'list' : 'get', id)
    }
  })

  it('differ without their dots and capitals too, as the methods that a generator makes of them', () => {
    const names = rows.map(([id]) => id.replaceAll('.', '').toLowerCase())
    equal(new Set(names).size, names.length)
  })

  it('are the operationId of the OpenAPI document', () => {
    const paths = readField('docs/reference/openapi.json', 'paths')
    for (const [id, { method, path }] of rows) {
      const operation: unknown = Reflect.get(Object(Reflect.get(Object(paths), path)), method.toLowerCase())
      equal(Reflect.get(Object(operation), 'operationId'), id, `${method} ${path}`)
    }
  })
})
