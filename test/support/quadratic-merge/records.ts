import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { readJson } from '#src/domain/json/json-text.js'
import { recordListText } from '#src/domain/lore/changes.js'
import type { RecordRules } from '#src/domain/lore/merging/records.js'
import { type Conflict, type Side, type Three, takeChangedSide } from '#src/domain/lore/merging/units.js'

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

/** JSON with the keys of objects in a fixed order. */
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

/** A version of the file; null where it is not JSON of this form, so that no merge guesses its meaning. */
const documentOf = (rules: RecordRules, text: string | null): Document | null => {
  if (text === null) return { head: {}, entries: [] }
  const parsed = readJson(text)
  if (isLeft(parsed) || !t.UnknownRecord.is(parsed.right)) return null
  const { [rules.list]: list, ...head } = parsed.right
  if (!t.array(t.UnknownRecord).is(list)) return null
  return { head, entries: list.map(fields => entryOf(rules, fields)) }
}

const sinceOf = ({ fields }: Entry): string => (t.string.is(fields['since']) ? fields['since'] : '')

const inOrder = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** The earlier first, and of two at the same time the smaller text: the same order on every host. */
const byAge = (one: Entry, other: Entry): number =>
  inOrder(sinceOf(one), sinceOf(other)) || inOrder(one.text, other.text)

type Group = ReadonlyArray<Entry>

const textOfGroup = (group: Group): string =>
  group
    .map(one => one.text)
    .sort()
    .join('\n')

const groupEntries = ({ entries }: Document): ReadonlyMap<string, Group> => {
  const groups = new Map<string, Array<Entry>>()
  for (const entry of entries) {
    const group = groups.get(entry.key) ?? []
    group.push(entry)
    groups.set(entry.key, group)
  }
  return groups
}

/** Of two with the same meaning the one with the smaller text: fields may be in another order. */
const smaller = <T>(one: T, other: T): T => (JSON.stringify(one) <= JSON.stringify(other) ? one : other)

/** One record of three versions: what one side removed stays removed, whatever the other made of it. */
const mergeGroup = (
  rules: RecordRules,
  groups: Three<Group>,
  stands: Side,
  conflicts: Array<Conflict>,
): Group => {
  const { base, ours, theirs } = groups
  const texts = { base: textOfGroup(base), ours: textOfGroup(ours), theirs: textOfGroup(theirs) }
  const kept = takeChangedSide(texts)
  if (texts.ours === texts.theirs) return smaller(ours, theirs)
  if (kept !== undefined) return kept === texts.ours ? ours : theirs
  if (ours.length === 0 || theirs.length === 0) return []
  if (rules.latest) return [...ours, ...theirs].sort(byAge).slice(-1)
  const row = rules.key.map(name => String(ours[0]?.fields[name])).join(' ')
  conflicts.push({ block: null, row, cause: base.length === 0 ? 'added' : 'changed' })
  return groups[stands]
}

/** Removes the later of records that exclude each other; a side that had both intended that. */
const withoutClashes = (rules: RecordRules, entries: Group, sides: ReadonlyArray<Document>): Group => {
  const holds = sides.map(side => new Set(side.entries.map(one => one.text)))
  const sidesOf = ({ text }: Entry): number =>
    holds.reduce((mask, texts, side) => (texts.has(text) ? mask | (1 << side) : mask), 0)
  const taken = rules.alone.map(name => ({ name, by: new Map<unknown, Set<number>>() }))
  const stay = new Set<Entry>()
  for (const entry of [...entries].sort(byAge).reverse()) {
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

/** A field of the head itself, not an inherited one such as `constructor`. */
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
 * Merges three versions of a committed list by record; null where one of them is unreadable. Keeps what both
 * added, drops what one removed, and where two changes contradict, the rules decide. The base keeps its
 * order, new records follow by age: the bytes are the same on whichever host merges.
 */
export const mergeRecordsQuadratically = (
  rules: RecordRules,
  texts: { readonly base: string | null; readonly ours: string; readonly theirs: string },
  stands: Side,
): { readonly text: string; readonly conflicts: ReadonlyArray<Conflict> } | null => {
  const base = documentOf(rules, texts.base)
  const ours = documentOf(rules, texts.ours)
  const theirs = documentOf(rules, texts.theirs)
  if (base === null || ours === null || theirs === null) return null
  const conflicts: Array<Conflict> = []
  const groups = { base: groupEntries(base), ours: groupEntries(ours), theirs: groupEntries(theirs) }
  const merged = (key: string): Group =>
    mergeGroup(
      rules,
      {
        base: groups.base.get(key) ?? [],
        ours: groups.ours.get(key) ?? [],
        theirs: groups.theirs.get(key) ?? [],
      },
      stands,
      conflicts,
    )
  const added = new Set([...groups.ours.keys(), ...groups.theirs.keys()].filter(key => !groups.base.has(key)))
  const old = [...groups.base.keys()].flatMap(merged)
  const fresh = [...added].sort().flatMap(merged).sort(byAge)
  const entries = withoutClashes(rules, [...old, ...fresh], [ours, theirs])
  const head = mergeHead(rules, { base: base.head, ours: ours.head, theirs: theirs.head }, stands, conflicts)
  return {
    text: recordListText(
      head,
      rules.list,
      entries.map(entry => entry.fields),
    ),
    conflicts,
  }
}
