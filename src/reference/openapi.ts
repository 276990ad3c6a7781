import { isLeft } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { refusalExamples } from '#protocol/answer-examples.js'
import { pathDescriptions, sharedDescriptions } from '#protocol/description.js'
import { descriptions } from '#protocol/descriptions.js'
import { queryKinds } from '#protocol/query.js'
import { errorOf, isPassing, type RefusalTag, refusals } from '#protocol/refusal.js'
import { isFromCommit, namesCommit, queryOf, type Route, refusalsOf, type Table } from '#protocol/route.js'
import { routeAreaOf, routeAreas } from '#protocol/routes.js'
import { answerExamplesOf, bodyExampleOf, parameterExampleOf } from './examples.js'
import { type Components, type JsonSchema, schemaOf } from './schema.js'

/** The OpenAPI 3.1 document of a route table. Deterministic: the same table gives the same text. */
export const openapi = (table: Table, version: string): JsonSchema => {
  const components: Components = new Map()
  const open = openBodies(table)
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const [id, row] of Object.entries(table)) {
    const methods = (paths[row.path] ??= {})
    methods[row.method.toLowerCase()] = operation(id, row, components, open)
  }
  const named = refusalSchemas(components)
  const sorted = [...components].sort(([left], [right]) => (left < right ? -1 : 1))
  const described = [...sorted, ...named].map(([name, schema]): readonly [string, unknown] => [
    name,
    describeSchema(name, schema),
  ])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kronika',
      version,
      description: 'The closed route table of one host. Every path is relative to {base_url}/v1/api.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/v1/api' }],
    tags: routeAreas.map(({ name, about }) => ({ name, description: about })),
    paths,
    components: {
      schemas: Object.fromEntries(described),
      parameters: headerParameters,
      headers: answerHeaders,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  }
}

/**
 * Adds a description to each field of the schema's objects, nested ones included. `place` is the name of the
 * codec; an object inside a field is `Codec.field`, also within a list or a union.
 */
export const describeSchema = (place: string, schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(one => describeSchema(place, one))
  if (!isSchema(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, describeMember(place, key, value)]),
  )
}

const header = (name: string, description: string): JsonSchema => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
})

/** Request headers that rows read, as parameters of the document. */
export const headerParameters: Readonly<Record<string, JsonSchema>> = {
  IfNoneMatch: header('If-None-Match', 'Validators that the caller has; 304 when one of them is current.'),
  MinCommit: header('X-Svc-Min-Commit', 'A full commit id that the answer must have; 409 without it (D27).'),
}

const textHeader = (description: string): JsonSchema => ({ description, schema: { type: 'string' } })

/** Headers of answers, as components of the document. */
export const answerHeaders: Readonly<Record<string, JsonSchema>> = {
  ETag: textHeader('The weak validator of the answer (D10).'),
  Commit: textHeader(
    'The commit of the lore that the answer was made of, or that holds the write (D27); absent on a plain directory.',
  ),
  RetryAfter: textHeader('Seconds until it is worth asking again.'),
}

/** References to the request headers that the row reads. */
export const requestHeadersOf = (row: Route): ReadonlyArray<JsonSchema> => [
  ...(row.etag ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ...(isFromCommit(row) ? [{ $ref: '#/components/parameters/MinCommit' }] : []),
]

/** The `headers` of the row's own answers; empty where it has none. */
export const answerHeadersOf = (row: Route): JsonSchema => {
  const headers = {
    ...(row.etag ? { ETag: { $ref: '#/components/headers/ETag' } } : {}),
    ...(namesCommit(row) ? { 'X-Svc-Commit': { $ref: '#/components/headers/Commit' } } : {}),
  }
  return Object.keys(headers).length === 0 ? {} : { headers }
}

/** The `headers` of refusals that are temporary. */
export const passingHeaders: JsonSchema = {
  headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
}

/**
 * The schema of a query parameter by the name of its codec; for an unknown codec the name is the description.
 */
export const querySchema = (codec: t.Mixed): JsonSchema => {
  const kind = queryKinds[codec.name]
  if (kind === undefined) return { type: 'string', description: codec.name }
  const { wants, values, format, pattern } = kind
  return {
    type: 'string',
    description: wants,
    ...(values === undefined ? {} : { enum: [...values] }),
    ...(format === undefined ? {} : { format }),
    ...(pattern === undefined ? {} : { pattern }),
  }
}

const pathTexts: Readonly<Record<string, string>> = pathDescriptions

const pathParameters = (row: Route): ReadonlyArray<JsonSchema> =>
  [...row.path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(pathTexts[name] === undefined ? {} : { description: pathTexts[name] }),
    schema: { type: 'string', minLength: 1, maxLength: 1000 },
    ...parameterExampleOf(row, 'path', name),
  }))

const queryParameters = (row: Route): ReadonlyArray<JsonSchema> =>
  Object.entries(queryOf(row)).map(([name, codec]) => ({
    name,
    in: 'query',
    required: false,
    schema: querySchema(codec),
    ...parameterExampleOf(row, 'query', name),
  }))

const content = (schema: JsonSchema, media = 'application/json', examples: JsonSchema = {}): JsonSchema => ({
  content: { [media]: { schema, ...examples } },
})

const refusalName = (tag: string): string => `Refusal.${tag}`

const refusalResponse = (tags: ReadonlyArray<RefusalTag>, examples: JsonSchema): JsonSchema => {
  const refs = tags.map(tag => ({ $ref: `#/components/schemas/${refusalName(tag)}` }))
  const [only] = refs
  const schema = refs.length === 1 && only !== undefined ? only : { anyOf: refs }
  return {
    description: tags.join(', '),
    ...(tags.some(isPassing) ? passingHeaders : {}),
    ...content(schema, undefined, examples),
  }
}

const refusalResponses = (id: string, row: Route): Record<string, JsonSchema> => {
  const byStatus = new Map<number, Array<RefusalTag>>()
  for (const tag of refusalsOf(row)) {
    const status = refusals[tag].status
    byStatus.set(status, [...(byStatus.get(status) ?? []), tag])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, tags]) => [
      String(status),
      refusalResponse(tags, answerExamplesOf(id, status)),
    ]),
  )
}

const responsesOf = (
  id: string,
  row: Route,
  schema: (codec: t.Mixed) => JsonSchema,
): Record<string, JsonSchema> => {
  const headers = answerHeadersOf(row)
  const answers = Object.entries(row.answers).map(([status, codec]): readonly [string, JsonSchema] => [
    status,
    {
      description: row.summary,
      ...headers,
      ...content(schema(codec), row.media, answerExamplesOf(id, Number(status))),
    },
  ])
  return {
    ...Object.fromEntries(answers),
    ...(row.etag ? { '304': { description: 'What the caller has is current.', ...headers } } : {}),
    ...refusalResponses(id, row),
  }
}

/** A request without a body decodes as `{}` (D24): where the codec rejects that, the body is required. */
const requestBody = (row: Route, codec: t.Mixed, schema: (codec: t.Mixed) => JsonSchema): JsonSchema => ({
  required: isLeft(codec.decode({})),
  ...content(schema(codec), undefined, bodyExampleOf(row)),
})

const operation = (
  id: string,
  row: Route,
  components: Components,
  open: ReadonlySet<t.Mixed>,
): JsonSchema => {
  const schema = schemaOf(components, open)
  const parameters = [...pathParameters(row), ...queryParameters(row), ...requestHeadersOf(row)]
  const area = routeAreaOf(row)
  return {
    operationId: id,
    ...(area === null ? {} : { tags: [area.name] }),
    summary: row.summary,
    description: `${row.source}.${row.write ? ' Passes the write gate.' : ''}`,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(row.body === null ? {} : { requestBody: requestBody(row, row.body, schema) }),
    responses: responsesOf(id, row, schema),
    security: row.capability === null ? [] : [{ bearer: [] }],
    'x-capability': row.capability,
    'x-own': row.own,
    'x-replica': row.replica,
    'x-pool': row.pool,
  }
}

const refusalSchema = (tag: RefusalTag, schema: (codec: t.Mixed) => JsonSchema): JsonSchema => {
  const extra: Readonly<Record<string, t.Mixed>> = refusals[tag].extra
  const properties = Object.fromEntries(Object.entries(extra).map(([name, codec]) => [name, schema(codec)]))
  return {
    type: 'object',
    description: refusals[tag].when,
    properties: { error: { const: errorOf(tag) }, detail: { type: 'string' }, ...properties },
    required: ['error', 'detail', ...Object.keys(extra)],
    additionalProperties: false,
    examples: [refusalExamples[tag]],
  }
}

const isRefusalTag = (tag: string): tag is RefusalTag => Object.hasOwn(refusals, tag)

/** All refusals, including those of the listener, which no operation can list. */
const refusalSchemas = (components: Components): ReadonlyArray<readonly [string, JsonSchema]> => {
  const schema = schemaOf(components)
  const tags = Object.keys(refusals).filter(isRefusalTag).sort()
  return tags.map(tag => [refusalName(tag), refusalSchema(tag, schema)])
}

/** Bodies in which unknown keys are ignored. */
const openBodies = (table: Table): ReadonlySet<t.Mixed> =>
  new Set(
    Object.values(table).flatMap(({ body, unknownKeys }) =>
      body !== null && unknownKeys === 'ignored' ? [body] : [],
    ),
  )

const shared: Readonly<Record<string, string>> = sharedDescriptions

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The description of a field of the object at `place`, or undefined where the tables have none. */
const textOf = (place: string, field: string): string | undefined =>
  descriptions[place]?.[field] ?? (Object.hasOwn(shared, field) ? shared[field] : undefined)

const describeField = (place: string, field: string, schema: unknown): unknown => {
  const inner = describeSchema(`${place}.${field}`, schema)
  const description = textOf(place, field)
  return description === undefined || !isSchema(inner) ? inner : { ...inner, description }
}

const describeMember = (place: string, key: string, value: unknown): unknown => {
  if (key === 'properties' && isSchema(value))
    return Object.fromEntries(
      Object.entries(value).map(([field, schema]) => [field, describeField(place, field, schema)]),
    )
  return ['enum', 'const', 'examples'].includes(key) ? value : describeSchema(place, value)
}
