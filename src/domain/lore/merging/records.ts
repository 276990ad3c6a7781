import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { readJson } from '#src/domain/json/json-text.js'
import { recordLinesText, recordMapText } from '#src/domain/lore/changes.js'
import { newlineOf } from '#src/domain/lore/lines.js'
import { type Sliced, sortInSlices } from '#src/domain/slicing/sliced.js'
import { mergeSequence } from './additions.js'
import { alignTexts, pairUnitsBy } from './alignment.js'
import {
  type Conflict,
  compareTexts,
  type Side,
  type Three,
  takeChangedSide,
  type UnitRules,
  withoutLineEnd,
} from './units.js'

/**
 * Merges three versions of a committed list by record; null when one of them cannot be parsed. Records that
 * either side added are kept, records that one side removed are removed, and the rules decide between two
 * changes of one record. Records of the base keep their order and new ones follow by age, so the bytes are
 * the same on every host.
 */
export const mergeRecords = function* (
  rules: RecordRules,
  texts: { readonly base: string | null; readonly ours: string; readonly theirs: string },
  stands: Side,
): Sliced<{ readonly text: string; readonly conflicts: ReadonlyArray<Conflict> } | null> {
  const base = yield* documentOf(rules, texts.base)
  const ours = yield* documentOf(rules, texts.ours)
  const theirs = yield* documentOf(rules, texts.theirs)
  if (base === null || ours === null || theirs === null) return null
  const conflicts: Array<Conflict> = []
  const groups = {
    base: yield* groupEntries(base),
    ours: yield* groupEntries(ours),
    theirs: yield* groupEntries(theirs),
  }
  const merged = function* (keys: Iterable<string>): Sliced<ReadonlyArray<Entry>> {
    const found: Array<Entry> = []
    let steps = 0
    for (const key of keys) {
      steps += 1
      if (steps % recordsPerSlice === 0) yield
      const three = {
        base: groups.base.get(key) ?? [],
        ours: groups.ours.get(key) ?? [],
        theirs: groups.theirs.get(key) ?? [],
      }
      for (const entry of yield* mergeGroup(rules, three, stands, conflicts)) found.push(entry)
    }
    return found
  }
  const added = new Set([...groups.ours.keys(), ...groups.theirs.keys()].filter(key => !groups.base.has(key)))
  const old = yield* merged(groups.base.keys())
  const fresh = yield* sortInSlices(yield* merged(yield* sortInSlices([...added], compareTexts)), byAge)
  const entries = yield* withoutClashes(rules, [...old, ...fresh], [ours, theirs])
  const head = mergeHead(rules, { base: base.head, ours: ours.head, theirs: theirs.head }, stands, conflicts)
  if (rules.form === 'map') return { text: mapTextOf(head, rules.list, entries), conflicts }
  const lines: Array<string> = []
  for (const { fields } of entries) {
    lines.push(JSON.stringify(fields))
    if (lines.length % recordsPerSlice === 0) yield
  }
  return { text: recordLinesText(head, rules.list, lines), conflicts }
}

/** How two versions of a committed list of records are merged. */
export interface RecordRules {
  /** The field of the file that holds the list, or the map of records by name. */
  readonly list: string
  readonly form: 'list' | 'map'
  /** The fields that together identify a record on both sides. */
  readonly key: ReadonlyArray<string>
  /**
   * Fields whose value may occur in one record only. Of two records with the same value the one with the
   * later `since` is kept.
   */
  readonly alone: ReadonlyArray<string>
  /** Whether the later `since` decides between two changes of one record; otherwise they are a conflict. */
  readonly latest: boolean
  /** Fields beside the list that only grow; the higher value is kept. */
  readonly rising: ReadonlyArray<string>
}

/** The field in which the merge holds the name of a record of a map; no field of a file has a NUL. */
const nameField = '\0name'

/**
 * The committed lists that two hosts may change at once (D30, D40, ADR 1016). They are merged by record and
 * never by line: a text merge that git reports as clean can bind one account twice.
 */
export const recordRules: ReadonlyMap<string, RecordRules> = new Map<string, RecordRules>([
  [
    '.svc/grants.json',
    { list: 'grants', form: 'list', key: ['gameId', 'capability'], alone: [], latest: true, rising: [] },
  ],
  [
    '.svc/bindings.json',
    {
      list: 'bindings',
      form: 'list',
      // A binding that was removed and made again is another record, so the other host's removal does not
      // remove it.
      key: ['chatId', 'gameId', 'since', 'by'],
      alone: ['chatId', 'gameId'],
      latest: true,
      rising: [],
    },
  ],
  [
    '.svc/fleet-keys.json',
    { list: 'keys', form: 'list', key: ['kid'], alone: [], latest: false, rising: ['epoch'] },
  ],
  [
    '.svc/permissions.json',
    { list: 'permissions', form: 'map', key: [nameField], alone: [], latest: false, rising: [] },
  ],
])

/**
 * Merges a ledger of lines (`.jsonl`) as a union: two sides never conflict. Lines that both sides added keep
 * the order of each side; between the two orders the smaller line comes first.
 */
export const mergeLedger = function* ({ base, ours, theirs }: Three<string>): Sliced<string> {
  const three = { base: linesOf(base), ours: linesOf(ours), theirs: linesOf(theirs) }
  yield
  const lines = yield* mergeSequence<string>(three, rules, 'theirs', [])
  const newline = newlineOf(ours + theirs)
  return lines.map(line => (line.endsWith('\n') ? line : `${line}${newline}`)).join('')
}

/**
 * Merges JSON lines by their field `id`, so that two hosts that add one row have it once. A row that both sides added
 * or changed differently is the higher grade, `confirmed` before `measured` before `proposed`; of two rows that both
 * sides added with one grade below `confirmed` the smaller text stays. Two confirmed rows, and two changes of one
 * grade, are a conflict that names the id. Lines without an id, such as broken ones, keep their text and are merged as
 * those of a ledger.
 */
export const mergeIdLines = function* (
  { base, ours, theirs }: Three<string>,
  stands: Side,
): Sliced<{ readonly text: string; readonly conflicts: ReadonlyArray<Conflict> }> {
  const three = { base: yield* rowsOf(base), ours: yield* rowsOf(ours), theirs: yield* rowsOf(theirs) }
  const conflicts: Array<Conflict> = []
  const rows = yield* mergeSequence<IdRow>(three, idRules(stands), stands, conflicts)
  const newline = newlineOf(ours + theirs)
  return { text: rows.map(({ text }) => `${text}${newline}`).join(''), conflicts }
}

/** A line of a file of rows; `id` is null where it has none. */
interface IdRow {
  readonly text: string
  readonly id: string | null
  /** Higher outranks lower. */
  readonly grade: number
}

const grades = ['proposed', 'measured', 'confirmed']
const confirmed = grades.indexOf('confirmed')

const IdFields = t.intersection([t.type({ id: t.string }), t.partial({ grade: t.unknown })])

const rowOf = (text: string): IdRow => {
  const parsed = parseJson(text)
  return IdFields.is(parsed)
    ? { text, id: parsed.id, grade: grades.indexOf(String(parsed.grade)) }
    : { text, id: null, grade: -1 }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const rowsOf = function* (text: string): Sliced<ReadonlyArray<IdRow>> {
  const rows: Array<IdRow> = []
  for (const line of linesOf(text)) {
    rows.push(rowOf(withoutLineEnd(line)))
    if (rows.length % recordsPerSlice === 0) yield
  }
  return rows
}

const idRules = (stands: Side): UnitRules<IdRow> => {
  const named = ({ id, text }: IdRow): string => (id === null ? `\0${text}` : id)
  const clashOf = ({ id }: IdRow, cause: Conflict['cause']): Conflict => ({ block: id, row: null, cause })
  const higher = (ours: IdRow, theirs: IdRow): IdRow | null =>
    ours.grade === theirs.grade ? null : ours.grade > theirs.grade ? ours : theirs
  return {
    pairs: function* (from, to) {
      const inOrder = yield* alignTexts(from.map(named), to.map(named))
      return yield* pairUnitsBy(inOrder, from, to, ({ id }) => id)
    },
    key: ({ text }) => text,
    join: function* ({ base, ours, theirs }, conflicts) {
      const texts = { base: base.text, ours: ours.text, theirs: theirs.text }
      const kept = takeChangedSide(texts)
      if (kept !== undefined) return kept === ours.text ? ours : theirs
      const outranks = higher(ours, theirs)
      if (outranks === null) conflicts.push(clashOf(ours, 'changed'))
      return outranks ?? (stands === 'ours' ? ours : theirs)
    },
    removed: changed => clashOf(changed, 'removed'),
    uniteKey: ({ id }) => id,
    canUnite: () => true,
    unite: function* (ours, theirs, conflicts) {
      const outranks = higher(ours, theirs)
      if (outranks !== null || ours.text === theirs.text) return outranks ?? ours
      if (ours.grade < confirmed) return compareTexts(ours.text, theirs.text) < 0 ? ours : theirs
      conflicts.push(clashOf(ours, 'added'))
      return stands === 'ours' ? ours : theirs
    },
    clashKey: () => null,
    clash: () => null,
    sticks: () => false,
    isLoose: () => true,
    compare: (one, other) => compareTexts(named(one), named(other)),
  }
}

type Fields = Readonly<Record<string, unknown>>

/** A record with its key. `text` is its canonical form: equal records have equal texts. */
interface Entry {
  readonly key: string
  readonly text: string
  readonly fields: Fields
}

interface Document {
  readonly head: Fields
  readonly entries: ReadonlyArray<Entry>
}

/** JSON with the keys of each object sorted. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!t.UnknownRecord.is(value)) return JSON.stringify(value)
  const names = Object.keys(value).sort()
  return `{${names.map(name => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`
}

const entryOf = (rules: RecordRules, fields: Fields): Entry => {
  const text = canonical(fields)
  const parts = rules.key.map(name => fields[name])
  return { key: parts.every(t.string.is) ? canonical(parts) : text, text, fields }
}

const recordsPerSlice = 128

const readFile = function* ({ form, list }: RecordRules, text: string): Sliced<RecordFile | null> {
  return form === 'map' ? readRecordMap(text, list) : yield* readRecords(text, list)
}

/** The text of a merged map: the name of each record is its key again. */
const mapTextOf = (head: Fields, list: string, entries: Group): string =>
  recordMapText(
    head,
    list,
    new Map(entries.map(({ fields: { [nameField]: name, ...fields } }) => [String(name), fields])),
  )

const documentOf = function* (rules: RecordRules, text: string | null): Sliced<Document | null> {
  const file = text === null ? { head: {}, records: [] } : yield* readFile(rules, text)
  if (file === null) return null
  const entries: Array<Entry> = []
  for (const fields of file.records) {
    entries.push(entryOf(rules, fields))
    if (entries.length % recordsPerSlice === 0) yield
  }
  return { head: file.head, entries }
}

const sinceOf = ({ fields }: Entry): string => (t.string.is(fields['since']) ? fields['since'] : '')

/** Sorts the earlier record first, then the smaller text: the same order on every host. */
const byAge = (one: Entry, other: Entry): number =>
  compareTexts(sinceOf(one), sinceOf(other)) || compareTexts(one.text, other.text)

type Group = ReadonlyArray<Entry>

const textOfGroup = function* (group: Group): Sliced<string> {
  const texts = group.map(one => one.text)
  return (group.length < 2 ? texts : yield* sortInSlices(texts, compareTexts)).join('\n')
}

const groupEntries = function* ({ entries }: Document): Sliced<ReadonlyMap<string, Group>> {
  const groups = new Map<string, Array<Entry>>()
  for (const [at, entry] of entries.entries()) {
    if (at % recordsPerSlice === 0) yield
    const group = groups.get(entry.key)
    if (group === undefined) groups.set(entry.key, [entry])
    else group.push(entry)
  }
  return groups
}

/** Of two equal records the one whose JSON is smaller, because their fields may be in another order. */
const smaller = <T>(one: T, other: T): T => (JSON.stringify(one) <= JSON.stringify(other) ? one : other)

/** Merges the versions of one record. A removal by one side wins over any change by the other. */
const mergeGroup = function* (
  rules: RecordRules,
  groups: Three<Group>,
  stands: Side,
  conflicts: Array<Conflict>,
): Sliced<Group> {
  const { base, ours, theirs } = groups
  const texts = {
    base: yield* textOfGroup(base),
    ours: yield* textOfGroup(ours),
    theirs: yield* textOfGroup(theirs),
  }
  const kept = takeChangedSide(texts)
  if (texts.ours === texts.theirs) return smaller(ours, theirs)
  if (kept !== undefined) return kept === texts.ours ? ours : theirs
  if (ours.length === 0 || theirs.length === 0) return []
  if (rules.latest) return (yield* sortInSlices([...ours, ...theirs], byAge)).slice(-1)
  const row = rules.key.map(name => String(ours[0]?.fields[name])).join(' ')
  conflicts.push({ block: null, row, cause: base.length === 0 ? 'added' : 'changed' })
  return groups[stands]
}

/** Of records that exclude each other, keeps the latest. Two that one side has together are both kept. */
const withoutClashes = function* (
  rules: RecordRules,
  entries: Group,
  sides: ReadonlyArray<Document>,
): Sliced<Group> {
  const holds = sides.map(side => new Set(side.entries.map(one => one.text)))
  const sidesOf = ({ text }: Entry): number =>
    holds.reduce((mask, texts, side) => (texts.has(text) ? mask | (1 << side) : mask), 0)
  const taken = rules.alone.map(name => ({ name, by: new Map<unknown, Set<number>>() }))
  const stay = new Set<Entry>()
  const youngestFirst = [...(yield* sortInSlices(entries, byAge))].reverse()
  for (const [at, entry] of youngestFirst.entries()) {
    if (at % recordsPerSlice === 0) yield
    const mine = sidesOf(entry)
    const later = taken.map(({ name, by }) => by.get(entry.fields[name]) ?? new Set<number>())
    if (later.some(masks => [...masks].some(theirs => (theirs & mine) === 0))) continue
    stay.add(entry)
    for (const { name, by } of taken) {
      const value = entry.fields[name]
      by.set(value, (by.get(value) ?? new Set()).add(mine))
    }
  }
  return entries.filter(entry => stay.has(entry))
}

/** The value of an own property of the head; an inherited one such as `constructor` counts as absent. */
const own = (head: Fields, name: string): unknown => (Object.hasOwn(head, name) ? head[name] : undefined)

const mergeHead = (
  rules: RecordRules,
  heads: Three<Fields>,
  stands: Side,
  conflicts: Array<Conflict>,
): Fields => {
  const names = new Set([heads.base, heads.ours, heads.theirs].flatMap(head => Object.keys(head)))
  const merged: Record<string, unknown> = {}
  for (const name of [...names].sort()) {
    const [base, ours, theirs] = [heads.base, heads.ours, heads.theirs].map(head => own(head, name))
    const texts = {
      base: canonical(base ?? null),
      ours: canonical(ours ?? null),
      theirs: canonical(theirs ?? null),
    }
    const kept = takeChangedSide(texts)
    let value = texts.ours === texts.theirs ? smaller(ours, theirs) : kept === texts.ours ? ours : theirs
    if (rules.rising.includes(name) && t.number.is(ours) && t.number.is(theirs))
      value = Math.max(ours, theirs)
    else if (kept === undefined) {
      conflicts.push({ block: null, row: name, cause: 'changed' })
      value = own(heads[stands], name)
    }
    if (value !== undefined) merged[name] = value
  }
  return merged
}

/** A committed list of records, with the fields before the list. */
interface RecordFile {
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
const readRecords = function* (text: string, list: string): Sliced<RecordFile | null> {
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
const readRecordMap = (text: string, map: string): RecordFile | null => {
  const parsed = text.length > wholeCharsMax ? null : readJson(text)
  if (parsed === null || isLeft(parsed) || !t.UnknownRecord.is(parsed.right)) return null
  const { [map]: records, ...head } = parsed.right
  if (!t.record(t.string, t.UnknownRecord).is(records)) return null
  return {
    head,
    records: Object.entries(records).map(([name, fields]) => ({ ...fields, [nameField]: name })),
  }
}

const linesOf = (text: string): ReadonlyArray<string> => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

const rules: UnitRules<string> = {
  pairs: (from, to) => alignTexts(from.map(withoutLineEnd), to.map(withoutLineEnd)),
  key: withoutLineEnd,
  join: function* ({ base, ours, theirs }) {
    return ours === base ? theirs : ours
  },
  removed: () => ({ block: null, row: null, cause: 'removed' }),
  uniteKey: () => null,
  canUnite: () => false,
  unite: function* (ours) {
    return ours
  },
  clashKey: () => null,
  clash: () => ({ block: null, row: null, cause: 'added' }),
  sticks: () => false,
  isLoose: () => true,
  compare: (one, other) => compareTexts(withoutLineEnd(one), withoutLineEnd(other)),
}
