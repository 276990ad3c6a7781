import { isLeft, tryCatch } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type Told, type ToldValue, valueOf } from './told.js'

const depthMax = 6

const jsonOf = (text: string): unknown => {
  const parsed = tryCatch<unknown, unknown>(
    () => JSON.parse(text),
    error => error,
  )
  return isLeft(parsed) ? null : parsed.right
}

const isSecretName = (name: string): boolean => /token|secret|password|webhook|key/i.test(name)

const texts = t.readonlyArray(t.string)

const leavesOf = (value: unknown, name: string, depth: number): ReadonlyArray<ToldValue> => {
  if (t.UnknownRecord.is(value) && !Array.isArray(value))
    return depth === 0
      ? []
      : Object.entries(value).flatMap(([key, inner]) =>
          leavesOf(inner, name === '' ? key : `${name}.${key}`, depth - 1),
        )
  const withheld = isSecretName(name) ? 'secret' : null
  if (texts.is(value)) return value.map(one => valueOf(name, one, one, withheld))
  return Array.isArray(value) ? [] : [valueOf(name, String(value), '', withheld)]
}

/** The settings of a JSON file, each by its dotted name; a list of texts has a value for each. */
export const toldSettings = (text: string, path: string): ReadonlyArray<Told> => {
  const values = leavesOf(jsonOf(text), '', depthMax)
  return [{ kind: 'setting', name: path, key: path, values }]
}

const Named = t.partial({ header: t.string, id: t.string })

/** A record of a ledger by what it is of; what it says is told by the routes of that ledger. */
export const toldRecord = (record: string): ReadonlyArray<Told> => {
  const read = jsonOf(record)
  const name = Named.is(read) ? (read.header ?? read.id ?? null) : null
  return [{ kind: 'ledger', name, key: record, values: [] }]
}
