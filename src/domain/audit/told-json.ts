import { isRight } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { configKeys } from '#protocol/config/keys.js'
import { parseJson } from '#src/domain/json/parse-json.js'
import { describeValue, type Told, type ToldValue } from './told.js'

const depthMax = 6

const texts = t.readonlyArray(t.string)

const known: ReadonlyMap<string, t.Mixed> = new Map(
  Object.entries(configKeys).map(([name, { codec }]): readonly [string, t.Mixed] => [name, codec]),
)

/** Whether a value may be reported: only one of the expected form, because any other may be anything. */
const isTold = (name: string, value: unknown): boolean => {
  if (name === 'format') return typeof value === 'number'
  if (name.startsWith('roles.')) return texts.is(value)
  const codec = known.get(name)
  return codec !== undefined && isRight(codec.decode(value))
}

const leavesOf = (value: unknown, name: string, depth: number): ReadonlyArray<ToldValue> => {
  if (t.UnknownRecord.is(value) && !Array.isArray(value))
    return depth === 0
      ? []
      : Object.entries(value).flatMap(([key, inner]) =>
          leavesOf(inner, name === '' ? key : `${name}.${key}`, depth - 1),
        )
  const withheld = isTold(name, value) ? null : 'secret'
  if (texts.is(value)) return value.map(one => describeValue(name, one, one, withheld))
  return Array.isArray(value) ? [] : [describeValue(name, String(value), '', withheld)]
}

/** The settings in a JSON file, each by its dotted name; a list of texts has one value for each. */
export const describeSettings = (text: string, path: string): ReadonlyArray<Told> => {
  const values = leavesOf(parseJson(text), '', depthMax)
  return [{ kind: 'setting', name: path, key: path, values }]
}

const Named = t.partial({ header: t.string, id: t.string })

/** A record of a ledger by its name only; the routes of that ledger serve its content. */
export const describeRecord = (record: string): ReadonlyArray<Told> => {
  const read = parseJson(record)
  const name = Named.is(read) ? (read.header ?? read.id ?? null) : null
  return [{ kind: 'ledger', name, key: record, values: [] }]
}
