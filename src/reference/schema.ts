import * as t from 'io-ts'
import { candidatesMax, capabilities, distanceMax } from '#protocol/atoms.js'
import { tokenLifetimeSecondsMax, tokenNameCharsMax } from '#protocol/identity/sign-in.js'
import {
  isArray,
  isDictionary,
  isExact,
  isInterface,
  isIntersection,
  isKeyof,
  isLiteral,
  isPartial,
  isReadonly,
  isRecursive,
  isRefinement,
  isTuple,
  isUnion,
} from '#src/domain/codecs/codec-kinds.js'

/** A JSON Schema of draft 2020-12, the dialect of OpenAPI 3.1. */
export type JsonSchema = { readonly [key: string]: unknown }

/** Schemas of codecs with their own name, filled by the walk. */
export type Components = Map<string, JsonSchema>

/**
 * The schema of a codec, by its `_tag`. Codecs with their own name become components and are referred to. An
 * object codec of `open` allows keys that it does not name. Throws for a codec that is neither of io-ts nor
 * in `named-schemas.ts`: the document must not guess.
 */
export const schemaOf = (components: Components, open = noCodecs): Walk => {
  const walk: Walk = codec => {
    const name = ownName(codec)
    const given = name === null ? undefined : namedSchemas[name]
    if (name === null || codec instanceof t.StringType) return given ?? bare(codec)
    if (!components.has(name)) {
      components.set(name, {})
      components.set(name, given ?? bare(codec))
    }
    return { $ref: `#/components/schemas/${name}` }
  }
  const bare = (codec: t.Mixed): JsonSchema => {
    if (isRecursive(codec)) return bare(codec.type)
    const schema = primitive(codec) ?? composite(codec, walk)
    if (schema === null)
      throw new Error(`no schema for the codec ${codec.name}: name it in src/reference/schema.ts`)
    return open.has(codec) ? { ...schema, additionalProperties: true } : schema
  }
  return walk
}

type Walk = (codec: t.Mixed) => JsonSchema

/** The name of a codec that has its own, such as `Entity`; io-ts names the others by their structure. */
const ownName = (codec: t.Mixed): string | null =>
  /^[A-Z][A-Za-z0-9]*$/.test(codec.name) ? codec.name : null

const nullable = (schema: JsonSchema): JsonSchema =>
  typeof schema['type'] === 'string' && schema['enum'] === undefined && schema['const'] === undefined
    ? { ...schema, type: [schema['type'], 'null'] }
    : { anyOf: [schema, { type: 'null' }] }

const unionOf = (members: ReadonlyArray<t.Mixed>, walk: Walk): JsonSchema => {
  const rest = members.filter(
    member => !(member instanceof t.NullType) && !(member instanceof t.UndefinedType),
  )
  const schemas = rest.map(walk)
  const [first] = schemas
  const whole = schemas.length === 1 && first !== undefined ? first : { anyOf: schemas }
  return members.some(member => member instanceof t.NullType) ? nullable(whole) : whole
}

interface Shape {
  readonly properties: Record<string, JsonSchema>
  readonly required: ReadonlyArray<string>
}

const isOptional = (codec: t.Mixed): boolean => codec.is(undefined)

const propertiesOf = (props: t.Props, walk: Walk): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(props).map(([name, codec]) => [name, walk(codec)]))

/**
 * The members of an object codec, through `exact`, `strict` and intersections; null where it is not of a
 * plain object.
 */
const shapeOf = (codec: t.Mixed, walk: Walk): Shape | null => {
  if (isInterface(codec)) {
    const required = Object.entries(codec.props).flatMap(([name, member]) =>
      isOptional(member) ? [] : [name],
    )
    return { properties: propertiesOf(codec.props, walk), required }
  }
  if (isPartial(codec)) return { properties: propertiesOf(codec.props, walk), required: [] }
  if (isExact(codec)) return shapeOf(codec.type, walk)
  if (!isIntersection(codec)) return null
  return codec.types
    .map(member => shapeOf(member, walk))
    .reduce<Shape | null>(
      (all, one) =>
        all === null || one === null
          ? null
          : {
              properties: { ...all.properties, ...one.properties },
              required: [...all.required, ...one.required],
            },
      { properties: {}, required: [] },
    )
}

const objectOf = ({ properties, required }: Shape): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
  additionalProperties: false,
})

const primitive = (codec: t.Mixed): JsonSchema | null => {
  if (codec instanceof t.StringType) return { type: 'string' }
  if (codec instanceof t.NumberType) return { type: 'number' }
  if (codec instanceof t.BooleanType) return { type: 'boolean' }
  if (codec instanceof t.NullType) return { type: 'null' }
  if (codec instanceof t.UnknownType) return {}
  if (codec instanceof t.AnyDictionaryType) return { type: 'object' }
  if (isLiteral(codec)) return { const: codec.value }
  if (isKeyof(codec)) return { type: 'string', enum: Object.keys(codec.keys) }
  return null
}

const composite = (codec: t.Mixed, walk: Walk): JsonSchema | null => {
  if (isUnion(codec)) return unionOf(codec.types, walk)
  if (isArray(codec)) return { type: 'array', items: walk(codec.type) }
  if (isDictionary(codec)) return { type: 'object', additionalProperties: walk(codec.codomain) }
  if (isTuple(codec)) {
    const count = codec.types.length
    return { type: 'array', prefixItems: codec.types.map(walk), minItems: count, maxItems: count }
  }
  if (isReadonly(codec) || isRefinement(codec)) return walk(codec.type)
  const shape = shapeOf(codec, walk)
  if (shape !== null) return objectOf(shape)
  return isIntersection(codec) ? { allOf: codec.types.map(walk) } : null
}

const noCodecs: ReadonlySet<t.Mixed> = new Set()

/** Schemas, by name, of codecs whose structure does not show their rule: brands and hand-written ones. */
const namedSchemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Day: { type: 'string', format: 'date' },
  Month: { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])$' },
  Instant: { type: 'string', format: 'date-time' },
  CommitId: { type: 'string', pattern: '^([0-9a-f]{40}|[0-9a-f]{64})$' },
  BlobId: { type: 'string', pattern: '^([0-9a-f]{40}|[0-9a-f]{64})$' },
  RepoPath: { type: 'string', description: 'A path inside the repository, relative, with forward slashes.' },
  CapabilityId: { type: 'string', enum: [...capabilities] },
  ChatId: { type: 'string', pattern: '^[0-9A-Za-z_.-]{1,64}$' },
  InteractionId: { type: 'string', pattern: '^[1-9][0-9]{0,19}$', description: 'Less than 2^64.' },
  EpochMs: { type: 'integer', minimum: 0, maximum: 2 ** 53 },
  DispatchVars: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'At most 64 KiB of names and values.',
  },
  GameId: { type: 'string', minLength: 1, maxLength: 64, description: 'An id of the game, on one line.' },
  Int: { type: 'integer' },
  WholeNumber: { type: 'integer', minimum: 0 },
  TokenName: { type: 'string', minLength: 1, maxLength: tokenNameCharsMax },
  TokenLifetime: { type: 'integer', minimum: 1, maximum: tokenLifetimeSecondsMax, description: 'Seconds.' },
  AskedName: { type: 'string', pattern: '\\S' },
  DayOrInstant: { type: 'string', description: 'A day, or an ISO-8601 instant with its offset.' },
  CandidateCount: { type: 'integer', minimum: 1, maximum: candidatesMax },
  SpellingDistance: { type: 'integer', minimum: 0, maximum: distanceMax },
  TokenCapabilities: { type: 'array', items: { type: 'string' }, minItems: 1 },
}
