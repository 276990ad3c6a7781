import { deepEqual } from 'node:assert/strict'
import * as t from 'io-ts'
import { describe, it } from 'mocha'
import { sharedDescriptions } from '#protocol/description.js'
import { descriptions } from '#protocol/descriptions.js'
import { routes } from '#protocol/routes.js'
import { openapi } from '#src/reference/openapi.js'

const ObjectValue = t.UnknownRecord

interface Field {
  readonly place: string
  readonly name: string
  readonly text: unknown
}

const fieldsOf = (place: string, value: unknown): ReadonlyArray<Field> => {
  if (Array.isArray(value)) return value.flatMap(one => fieldsOf(place, one))
  if (!ObjectValue.is(value)) return []
  return Object.entries(value).flatMap(([key, member]) => {
    if (key !== 'properties' || !ObjectValue.is(member)) return fieldsOf(place, member)
    return Object.entries(member).flatMap(([name, schema]) => [
      { place, name, text: ObjectValue.is(schema) ? schema['description'] : undefined },
      ...fieldsOf(`${place}.${name}`, schema),
    ])
  })
}

const schemas = (): ReadonlyArray<readonly [string, unknown]> => {
  const { components } = openapi(routes, '0')
  const found: unknown = ObjectValue.is(components) ? components['schemas'] : null
  return ObjectValue.is(found) ? Object.entries(found) : []
}

const fields = schemas().flatMap(([name, schema]) => fieldsOf(name, schema))
const nameOf = ({ place, name }: Field): string => `${place}.${name}`
const told: ReadonlyArray<readonly [string, string]> = [
  ...Object.entries(sharedDescriptions),
  ...Object.entries(descriptions).flatMap(([place, texts]) =>
    Object.entries(texts).map(([name, text]) => [`${place}.${name}`, text] as const),
  ),
]

describe('the descriptions of fields', () => {
  it('cover every field of the OpenAPI document', () => {
    deepEqual(fields.filter(({ text }) => typeof text !== 'string').map(nameOf), [])
    process.stdout.write(`      ${fields.length} fields, each with a description\n`)
  })

  it('belong to a field each', () => {
    const known = new Set([...fields.map(nameOf), ...fields.map(({ name }) => name)])
    deepEqual(
      told.map(([name]) => name).filter(name => !known.has(name)),
      [],
    )
  })

  it('are one clause that tells more than the name', () => {
    const plain = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '')
    const odd = told.filter(([name, text]) => {
      const last = name.split('.').at(-1) ?? ''
      const bare = plain(text)
      return text.length > 140 || !text.endsWith('.') || bare === plain(last) || bare === plain(`the${last}`)
    })
    deepEqual(odd, [])
  })
})
