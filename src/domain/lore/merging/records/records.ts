import * as t from 'io-ts'
import { recordLinesText, recordMapText } from '#src/domain/lore/edits/record-list.js'
import { compareTexts } from '#src/domain/lore/merging/text-order.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { sortInSlices } from '#src/domain/slicing/sort-in-slices.js'
import { type Conflict, type Side, type Three, takeChangedSide } from '../conflict.js'
import { type RecordFile, readRecordMap, readRecords } from './read-records.js'
import { nameField, type RecordRules } from './record-rules.js'

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
