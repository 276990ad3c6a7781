import { sharedDescriptions } from '#protocol/description.js'
import { descriptions } from '#protocol/descriptions.js'
import type { JsonSchema } from './schema.js'

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
