import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { Validator } from '@seriousme/openapi-schema-validator'
import * as t from 'io-ts'
import { describe, it } from 'mocha'
import { refusalExamples } from '#protocol/answer-examples.js'
import { queryKinds } from '#protocol/query.js'
import { refusals } from '#protocol/refusal.js'
import { queryOf, type Route } from '#protocol/route.js'
import { routeAreaOf, routes } from '#protocol/routes.js'
import { openapi } from '#src/reference/openapi.js'
import { type Components, schemaOf } from '#src/reference/schema.js'
import { refusalTags } from './ask-refusals.js'

const Document = t.UnknownRecord

describe('the OpenAPI document', () => {
  it('passes a validator of OpenAPI 3.1', async () => {
    const document: unknown = JSON.parse(JSON.stringify(openapi(routes, '0.0.0')))
    ok(Document.is(document))
    const validator = new Validator()
    const result = await validator.validate(document)
    deepEqual(result.valid ? [] : result.errors, [])
    equal(validator.version, '3.1')
  })

  it('is the same text for the same table', () => {
    equal(JSON.stringify(openapi(routes, '1')), JSON.stringify(openapi(routes, '1')))
  })

  it('puts every row into the area that its folder has', () => {
    const untold = Object.entries(routes).filter(([, row]) => routeAreaOf(row) === null)
    deepEqual(
      untold.map(([id]) => id),
      [],
    )
  })

  it('has an operation for every row', () => {
    const paths: unknown = openapi(routes, '1')['paths']
    ok(Document.is(paths))
    for (const row of Object.values(routes)) {
      const methods = paths[row.path]
      ok(Document.is(methods) && row.method.toLowerCase() in methods, `${row.method} ${row.path}`)
    }
  })
})

const fieldIn = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((at, key) => (Document.is(at) ? at[key] : undefined), value)

describe('the examples of the OpenAPI document', () => {
  const document = openapi(routes, '1')

  for (const [id, row] of Object.entries<Route>(routes))
    it(`are there for the path, the query, the body and each answer of ${id}`, () => {
      const operation = ['paths', row.path, row.method.toLowerCase()]
      const parameters = fieldIn(document, ...operation, 'parameters') ?? []
      ok(Array.isArray(parameters))
      const untold = parameters.filter(
        one => Document.is(one) && !('$ref' in one) && one['name'] !== 'dryRun' && !('example' in one),
      )
      deepEqual(untold, [])
      if (row.body !== null)
        ok(
          Document.is(
            fieldIn(document, ...operation, 'requestBody', 'content', 'application/json', 'example'),
          ),
        )
      const media = row.media ?? 'application/json'
      for (const status of Object.keys(row.answers))
        ok(
          Document.is(fieldIn(document, ...operation, 'responses', status, 'content', media, 'examples')),
          `${id} ${status}`,
        )
    })
})

describe('the examples of refusals in the OpenAPI document', () => {
  const document = openapi(routes, '1')

  it('are in the schema of each refusal, to which the answers of the rows refer', () => {
    for (const tag of refusalTags)
      deepEqual(
        fieldIn(document, 'components', 'schemas', `Refusal.${tag}`, 'examples'),
        [refusalExamples[tag]],
        tag,
      )
  })
})

/** Rows that answer a page also where no limit is given. */
const alwaysPaged = [
  'entities.search.list',
  'search.get',
  'search.zeroResults.list',
  'logs.status.list',
  'logs.lines.list',
  'logs.speakers.list',
  'entities.lines.list',
  'entities.scenes.list',
  'entities.hits.list',
  'training.finetuneSamples.list',
]

describe('the OpenAPI document of requests', () => {
  const document = openapi(routes, '1')
  const operationOf = (path: string, method: string): unknown => fieldIn(document, 'paths', path, method)

  it('says that a body is required where a request without one is refused', () => {
    for (const [method, path, required] of [
      ['post', '/entities', true],
      ['patch', '/entities/{name}', true],
      ['post', '/sessions/batch', true],
      ['post', '/auth/link', true],
      ['patch', '/sessions/{header}', false],
      ['post', '/sessions/hash', false],
      ['post', '/people', false],
      ['post', '/auth/game', false],
    ] as const)
      equal(fieldIn(operationOf(path, method), 'requestBody', 'required'), required, `${method} ${path}`)
  })

  it('allows unknown keys in the bodies that other programs send, and nowhere else', () => {
    for (const [name, allows] of [
      ['AssignByChat', true],
      ['GameEnvelope', true],
      ['AccountLink', true],
      ['PersonWrite', true],
      ['EntityCreate', false],
      ['SessionMetadata', false],
    ] as const)
      equal(fieldIn(document, 'components', 'schemas', name, 'additionalProperties'), allows, name)
  })

  it('says of limit and offset what the refusals say: no value of them is refused', () => {
    ok(refusals.ParameterInvalid.when.includes('No value of `limit` or `offset` is bad.'))
    for (const [id, row] of Object.entries<Route>(routes))
      for (const [name, codec] of Object.entries(queryOf(row))) {
        if (name !== 'limit' && name !== 'offset') continue
        ok(queryKinds[codec.name]?.wants.endsWith('never refused'), `${id} ${name}`)
        const bounded = !('offset' in row.query) || alwaysPaged.includes(id)
        equal(codec.name, name === 'offset' ? 'Offset' : bounded ? 'PageLimit' : 'Limit', id)
      }
  })
})

describe('the schema of a codec', () => {
  const schema = (codec: t.Mixed) => schemaOf(new Map())(codec)

  it('knows the structures of io-ts', () => {
    deepEqual(schema(t.union([t.string, t.null])), { type: ['string', 'null'] })
    deepEqual(schema(t.readonlyArray(t.number)), { type: 'array', items: { type: 'number' } })
    deepEqual(schema(t.keyof({ a: null, b: null })), { type: 'string', enum: ['a', 'b'] })
    deepEqual(schema(t.record(t.string, t.boolean)), {
      type: 'object',
      additionalProperties: { type: 'boolean' },
    })
    deepEqual(schema(t.literal(2)), { const: 2 })
  })

  it('joins the members of an intersection and closes the object', () => {
    deepEqual(schema(t.intersection([t.type({ a: t.string }), t.partial({ b: t.number })])), {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'number' } },
      required: ['a'],
      additionalProperties: false,
    })
  })

  it('refers to a named codec, also within itself', () => {
    interface Tree {
      readonly children: ReadonlyArray<Tree>
    }
    const Tree: t.Type<Tree> = t.recursion('Tree', () => t.type({ children: t.readonlyArray(Tree) }))
    const components: Components = new Map()
    deepEqual(schemaOf(components)(Tree), { $ref: '#/components/schemas/Tree' })
    deepEqual(components.get('Tree'), {
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
      required: ['children'],
      additionalProperties: false,
    })
  })

  it('does not guess at a codec that it does not know', () => {
    const odd = new t.Type<number>('odd number', t.number.is, t.number.validate, t.identity)
    throws(() => schema(odd), /no schema for the codec odd number/)
  })
})
