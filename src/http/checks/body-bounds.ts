import { type BodyBounds, type BoundId, bounds, plainBody, type TextKind } from '#protocol/bounds.js'
import { type RefusalOf, refuseBoundExceeded } from '#protocol/refusal.js'
import { isBounded, type Route } from '#protocol/route.js'
import { nameTags } from '#src/domain/lore/rows.js'
import { tagName } from '#src/writing/entities/tags.js'

type Refused = RefusalOf<'BoundExceeded'>

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

const partsOf = (value: unknown): ReadonlyArray<unknown> | null => {
  if (isList(value)) return value
  return isFields(value) ? Object.values(value) : null
}

/**
 * Counts the texts, numbers and empty lists inside a value; a value that is not a list or a record counts
 * one.
 */
const countLeaves = (value: unknown): number => {
  const parts = partsOf(value)
  if (parts === null || parts.length === 0) return 1
  return parts.reduce<number>((sum, part) => sum + countLeaves(part), 0)
}

/** Counts the values inside the lists and records of a body. The fields at the top are limited by the row. */
const countValues = (body: Fields): number =>
  Object.values(body).reduce<number>(
    (sum, field) => sum + (partsOf(field) === null ? 0 : countLeaves(field)),
    0,
  )

/**
 * The most bytes in UTF-8 for one unit of a text's length, so that a short text need not be encoded to be
 * measured.
 */
const bytesPerUnit = 3

const lengthOf: Readonly<
  Record<TextKind, (text: string) => readonly [bound: BoundId, actual: number] | null>
> = {
  name: text => ['nameChars', text.length],
  value: text =>
    text.length * bytesPerUnit <= bounds.valueBytes.limit ? null : ['valueBytes', Buffer.byteLength(text)],
  prose: () => null,
  lookup: () => null,
}

const mends = {
  nameChars: 'Choose a shorter name.',
  valueBytes: 'Shorten it, or split it into several values.',
} as const

const lengthRefusal = (text: string, kind: TextKind, field: string): Refused | null => {
  const measured = lengthOf[kind](text)
  if (measured === null || measured[1] <= bounds[measured[0]].limit) return null
  const [bound, actual] = measured
  return refuseBoundExceeded(bound, actual, field, bound === 'nameChars' ? mends.nameChars : mends.valueBytes)
}

/** The kind of value that a tag holds. The tag's spelling is normalized before the look-up. */
const kindOfTag = (tag: string): TextKind => (nameTags.has(tagName(tag)) ? 'name' : 'value')

/**
 * The kind of a field of a record. `{tag, value}` is a row: its tag determines the kind of the value; a value
 * to be removed is only a look-up.
 */
const kindIn = (record: Fields, field: string, kind: TextKind): TextKind => {
  if (field !== 'value' || typeof record['tag'] !== 'string') return kind
  return record['remove'] === true ? 'lookup' : kindOfTag(record['tag'])
}

const findLongText = (value: unknown, kind: TextKind, field: string): Refused | null => {
  if (typeof value === 'string') return lengthRefusal(value, kind, field)
  if (isList(value)) {
    for (const [at, part] of value.entries()) {
      const found = findLongText(part, kind, `${field}[${at}]`)
      if (found !== null) return found
    }
    return null
  }
  if (!isFields(value)) return null
  for (const [name, part] of Object.entries(value)) {
    const found = findLongText(part, kindIn(value, name, kind), `${field}.${name.slice(0, 80)}`)
    if (found !== null) return found
  }
  return null
}

const kindOfField = (body: Fields, field: string, { texts }: BodyBounds): TextKind =>
  kindIn(body, field, (Object.hasOwn(texts, field) ? texts[field] : undefined) ?? 'value')

const findLongTag = (tags: Fields): Refused | null => {
  for (const [tag, values] of Object.entries(tags)) {
    const found = findLongText(values, kindOfTag(tag), `tags.${tag.slice(0, 80)}`)
    if (found !== null) return found
  }
  return null
}

/**
 * Refuses a decoded body that holds more than a request may (D64). Null when it does not, and for every row
 * that is not a write. Checked before anything is planned, so that a body refused here costs no more than
 * reading it.
 */
export const excessRefusal = (row: Route, body: unknown): Refused | null => {
  if (!isBounded(row) || !isFields(body)) return null
  const declared = row.bounds ?? plainBody
  const values = declared.counts === 'values' ? countValues(body) : 0
  if (values > bounds.requestValues.limit)
    return refuseBoundExceeded('requestValues', values, null, 'Send them in several requests.')
  for (const [field, value] of Object.entries(body)) {
    const found =
      field === 'tags' && isFields(value)
        ? findLongTag(value)
        : findLongText(value, kindOfField(body, field, declared), field)
    if (found !== null) return found
  }
  return null
}
