import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { Validator } from '@seriousme/openapi-schema-validator'
import * as t from 'io-ts'
import { describe, it } from 'mocha'
import { routes } from '#protocol/routes.js'
import { openapi } from '#src/reference/openapi.js'
import { type Components, schemaOf } from '#src/reference/schema.js'

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

  it('has an operation for every row', () => {
    const paths: unknown = openapi(routes, '1')['paths']
    ok(Document.is(paths))
    for (const row of Object.values(routes)) {
      const methods = paths[row.path]
      ok(Document.is(methods) && row.method.toLowerCase() in methods, `${row.method} ${row.path}`)
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
