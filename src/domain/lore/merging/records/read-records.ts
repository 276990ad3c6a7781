import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { readJson } from '#src/domain/json/json-text.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { nameField } from './record-rules.js'

type Fields = Readonly<Record<string, unknown>>

/** A committed list of records, with the fields before the list. */
export interface RecordFile {
  readonly head: Fields
  readonly records: ReadonlyArray<Fields>
}

/** The longest text, in characters, that is parsed at once when it is not written one record a line. */
const wholeCharsMax = 1024 * 1024

const linesPerSlice = 64

const recordFileOf = (value: unknown, list: string): RecordFile | null => {
  if (!t.UnknownRecord.is(value)) return null
  const { [list]: records, ...head } = value
  return t.array(t.UnknownRecord).is(records) ? { head, records } : null
}

const readWhole = (text: string, list: string): RecordFile | null => {
  const parsed = text.length > wholeCharsMax ? null : readJson(text)
  return parsed === null || isLeft(parsed) ? null : recordFileOf(parsed.right, list)
}

/**
 * Parses a few lines of the list. They are wrapped to the same depth as in the file, without the comma after
 * the last. Null when they are no records.
 */
const readLines = (lines: ReadonlyArray<string>, isLast: boolean): ReadonlyArray<Fields> | null => {
  const text = lines.join('\n')
  if (!isLast && !text.endsWith(',')) return null
  const parsed = readJson(`[[${isLast ? text : text.slice(0, -1)}]]`)
  const records = isLeft(parsed) || !t.array(t.array(t.UnknownRecord)).is(parsed.right) ? [] : parsed.right
  return records.length === 1 ? (records[0] ?? null) : null
}

/**
 * Parses a committed list of records. Returns null for a text that is not JSON of this form, which no merge
 * may guess at. A list with one record a line, as every host writes it, is parsed in slices; any other form
 * only up to 1 Mi characters.
 */
export const readRecords = function* (text: string, list: string): Sliced<RecordFile | null> {
  const lines = text.split('\n')
  const [first = '', end] = [lines[0], lines.indexOf(']}')]
  if (
    lines.length <= linesPerSlice ||
    !first.endsWith('[') ||
    end < 0 ||
    lines.slice(end + 1).join('') !== ''
  )
    return readWhole(text, list)
  const file = readWhole(`${first}]}`, list)
  if (file === null || file.records.length > 0) return readWhole(text, list)
  const records: Array<Fields> = []
  for (let at = 1; at < end; at += linesPerSlice) {
    yield
    const until = Math.min(at + linesPerSlice, end)
    const read = readLines(lines.slice(at, until), until === end)
    if (read === null || read.length === 0) return readWhole(text, list)
    for (const record of read) records.push(record)
  }
  return { head: file.head, records }
}

/** Parses a committed map of records, up to 1 Mi characters; null for a text that is not JSON of this form. */
export const readRecordMap = (text: string, map: string): RecordFile | null => {
  const parsed = text.length > wholeCharsMax ? null : readJson(text)
  if (parsed === null || isLeft(parsed) || !t.UnknownRecord.is(parsed.right)) return null
  const { [map]: records, ...head } = parsed.right
  if (!t.record(t.string, t.UnknownRecord).is(records)) return null
  return {
    head,
    records: Object.entries(records).map(([name, fields]) => ({ ...fields, [nameField]: name })),
  }
}
