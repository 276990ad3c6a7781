import { isRight } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { configKeys } from '#protocol/config.js'
import { parseJson } from '#src/domain/json/parse-json.js'
import { describeValue, type Told, type ToldValue } from './told.js'

/** The most objects around a described leaf; counts the outermost object, which is the file. */
const objectsMax = 6

const texts = t.readonlyArray(t.string)

const known: ReadonlyMap<string, t.Mixed> = new Map(
  Object.entries(configKeys).map(([name, { codec }]): readonly [string, t.Mixed] => [name, codec]),
)

/**
 * Whether a value may be shown: a number under `format`, texts under `roles.`, and a value that the codec of
 * its config key accepts. Any other value could be a secret. `describeValue` still withholds a value whose
 * text holds a credential tag or names restricted topics.
 */
const mayShow = (name: string, value: unknown): boolean => {
  if (name === 'format') return typeof value === 'number'
  if (name.startsWith('roles.')) return texts.is(value)
  const codec = known.get(name)
  return codec !== undefined && isRight(codec.decode(value))
}

const leavesOf = (value: unknown, name: string, objectsLeft: number): ReadonlyArray<ToldValue> => {
  if (t.UnknownRecord.is(value) && !Array.isArray(value))
    return objectsLeft === 0
      ? []
      : Object.entries(value).flatMap(([key, inner]) =>
          leavesOf(inner, name === '' ? key : `${name}.${key}`, objectsLeft - 1),
        )
  const whyWithheld = mayShow(name, value) ? null : 'secret'
  if (texts.is(value)) return value.map(one => describeValue(name, one, one, whyWithheld))
  // The subject is empty: nothing of a scalar stays when it changes.
  return Array.isArray(value) ? [] : [describeValue(name, String(value), '', whyWithheld)]
}

/**
 * The settings in a JSON file, each by its dotted name; a list of texts has one value for each text. Leaves
 * inside more than `objectsMax` objects are left out, and so are lists of anything but texts. A text that is
 * not JSON is one withheld value without a name.
 */
export const describeSettings = (text: string, path: string): ReadonlyArray<Told> => {
  const values = leavesOf(parseJson(text), '', objectsMax)
  return [{ kind: 'setting', name: path, key: path, values }]
}

const Named = t.partial({ header: t.string, id: t.string })

/**
 * A record of a ledger by its name only; the routes of that ledger serve its content. The name is its
 * `header`, else its `id`; null when it has neither, or when one of them is no text. `key`, the whole record,
 * only matches the versions of a record; no answer contains it.
 */
export const describeRecord = (record: string): ReadonlyArray<Told> => {
  const read = parseJson(record)
  const name = Named.is(read) ? (read.header ?? read.id ?? null) : null
  return [{ kind: 'ledger', name, key: record, values: [] }]
}
