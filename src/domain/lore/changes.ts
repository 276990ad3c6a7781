import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { type BlobId, type Day, nameKey, nfc, type RepoPath, type Tree } from '#protocol/atoms.js'
import type { AuditAction } from '#protocol/host/events.js'
import type { FileEdit } from './file-edit.js'
import { activeOn, boundText, dayPlus } from './rows/days.js'
import { confirmRow, type Row, type RowChange, rangeText } from './rows/row-change.js'
import { nameTags, referenceTags } from './rows/rows.js'
import type { TagRule } from './tag-schema.js'

/** An object of the lore that a write changed, as events and the audit name it. */
export interface Touched {
  readonly kind:
    | 'entity'
    | 'character'
    | 'session'
    | 'registry'
    | 'ledger'
    | 'repository'
    | 'identity'
    | 'permissions'
    | 'schedule'
    | 'transcript'
    | 'sample'
  readonly name: string
}

/**
 * What a write adds to the audit stream once its commit is made, beside the line that every write adds (A 6).
 */
export interface AuditNote {
  readonly action: AuditAction
  readonly actor: string
  readonly fields: Readonly<Record<string, string | null>>
}

/**
 * A message that a write sends once the remote has its commit (D51). The texts of the lore in it are escaped.
 */
export interface Notice {
  readonly operation: 'pu' | 'Intel' | 'close-reminder'
  /** What it is among the messages of its operation. A host sends a key once. */
  readonly key: string
  /** The heading of whom it is for. */
  readonly entity: string
  /** The channel that it goes to, by its names; Left: why it is not sent. */
  readonly to: Either<string, { readonly category: string; readonly channel: string }>
  readonly text: string
}

/**
 * A planned write: everything that the gate needs to carry it out. Without edits there is nothing to change;
 * the gate makes no commit and the answer says so (D32).
 */
export interface ChangeSet<A> {
  /**
   * The tree whose files the edits are; absent: the lore. A write to another tree has no notices, and its commit is on
   * the branch of that tree.
   */
  readonly tree?: Tree
  readonly edits: ReadonlyArray<FileEdit>
  /**
   * Keys of everything that the plan depends on or changes (`entity:NPC:kupiec orrin`,
   * `slot:encje/indeks-02.md`). The gate never plans two writes that share a key on one snapshot: it plans
   * the later one again on the result of the earlier one.
   */
  readonly claims: ReadonlyArray<string>
  readonly touches: ReadonlyArray<Touched>
  readonly audit?: ReadonlyArray<AuditNote>
  /** In the order in which they are sent. */
  readonly notices?: ReadonlyArray<Notice>
  /** First line of the commit message: `area: what changed`. */
  readonly subject: string
  /** The person whose write it is, where another one sent the command: the commit and the audit name them. */
  readonly person?: string
  /** The id of the interaction whose effect the commit is; its trailer has it. */
  readonly interaction?: string
  /** Set only when it differs from the row's ordinary status. */
  readonly status?: number
  readonly answer: A
  /** Body of the dry run, answered with 200. The gate adds `diff`, the unified diff of the files (A 1). */
  readonly preview: object
}

/** The tree that a planned write is of. */
export const treeOf = ({ tree = 'lore' }: Pick<ChangeSet<unknown>, 'tree'>): Tree => tree

/**
 * One file of a planned commit. `before` is the blob that the plan read (null: the file did not exist), so
 * that the gate can refuse a plan made on another tree. `after` is the whole new text; null removes the file.
 */
export interface FileChange {
  readonly path: RepoPath
  readonly before: BlobId | null
  readonly after: string | null
}

/**
 * Writes a committed list of records as JSON with one record a line, so that diffs and text merges work by
 * record. `head` holds the fields before the list.
 */
export const recordListText = (
  head: Readonly<Record<string, unknown>>,
  list: string,
  records: ReadonlyArray<unknown>,
): string =>
  recordLinesText(
    head,
    list,
    records.map(record => JSON.stringify(record)),
  )

/** `recordListText` for records that are already JSON, each on one line. */
export const recordLinesText = (
  head: Readonly<Record<string, unknown>>,
  list: string,
  records: ReadonlyArray<string>,
): string => {
  const fields = Object.entries(head).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}, `,
  )
  const lines = records.join(',\n')
  return `{${fields.join('')}${JSON.stringify(list)}: [${lines === '' ? '' : `\n${lines}\n`}]}\n`
}

/** Writes a committed map of records as JSON with one record a line, in the order of their names. */
export const recordMapText = (
  head: Readonly<Record<string, unknown>>,
  map: string,
  records: ReadonlyMap<string, unknown>,
): string => {
  const fields = Object.entries(head).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}, `,
  )
  const lines = [...records]
    .sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
    .map(([name, record]) => `${JSON.stringify(name)}: ${JSON.stringify(record)}`)
    .join(',\n')
  return `{${fields.join('')}${JSON.stringify(map)}: {${lines === '' ? '' : `\n${lines}\n`}}}\n`
}

/** A bound as the caller wrote it, with the day that it means. */
export interface RangeBound {
  readonly text: string
  readonly day: Day
}

/**
 * The state of the block that a change applies to: rows of the tag in the block, rows active today from any
 * source, and today.
 */
export interface Ground {
  /** In the order of the file. */
  readonly rows: ReadonlyArray<Row>
  /** Active rows of the tag from the block, a reference or a session, in the deciding order. */
  readonly active: ReadonlyArray<Row>
  readonly today: Day
}

/** The month of a day: `2026-06`. */
export const monthOf = (day: Day): string => day.slice(0, 7)

/**
 * Gives a dated tag with one value another value: the active row ends the day before and a new row is added,
 * so history is kept (FORMATS 1.9). A row with the same first day is corrected in its place. Before a later
 * row the new value ends the day before that row begins. Left: the row that begins within the requested days.
 */
export const scalarChange = (wanted: Wanted, { rows, active, today }: Ground): Either<Row, Changes> => {
  const decides = active.at(-1)
  if (wanted.from !== undefined) return beginValue(rows, wanted, wanted.from)
  if (decides?.value === wanted.value) {
    const { to } = wanted
    const ends = to !== null && rows.includes(decides) && decides.range.to !== to.day
    return right(ends ? [{ _tag: 'Until', row: decides, to: to.text }] : confirmRow(rows, decides))
  }
  return beginValue(rows, wanted, fromNow(today, active))
}

/**
 * Whether values of the tag have a history, which a change keeps. Spellings of names have none, even dated
 * ones (docs/spec/tag-writes.md#dates).
 */
export const isHistory = (rule: TagRule): boolean => rule.dated && !nameTags.has(rule.tag)

/** The row changes that give a tag a value. Left: the row that excludes it. */
export const valueSet = (rule: TagRule, wanted: Wanted, ground: Ground): Either<Row, Changes> => {
  if (rule.multi) return another(rule, wanted, ground)
  return rule.dated ? scalarChange(wanted, ground) : right(replaceValue(wanted, ground.rows))
}

/**
 * The row changes that end a value: with a history its rows end, without one they are removed. A null value
 * means all values.
 */
export const valueRemoved = (
  rule: TagRule,
  value: string | null,
  { from, to }: Pick<Wanted, 'from' | 'to'>,
  { rows, today }: Ground,
): Changes => {
  const named = value === null ? rows : rows.filter(row => same(rule.tag, row.value, value))
  return isHistory(rule)
    ? endRows(named, { from, to }, today)
    : named.map((row): RowChange => ({ _tag: 'Drop', row }))
}

/**
 * The change of a tag that a caller asks for. `from` undefined: from now on; null: since ever. `to` null: for
 * ever.
 */
interface Wanted {
  readonly tag: string
  readonly value: string
  readonly from: RangeBound | null | undefined
  readonly to: RangeBound | null
}

/** The day before; the day itself where the calendar begins. */
const before = (day: Day): Day => dayPlus(day, -1) ?? day

/**
 * The first day of a change that names none: this month, as the lore dates things (FORMATS 1.9), or today
 * when a row that it follows began within the month (docs/spec/tag-writes.md#dates).
 */
const fromNow = (today: Day, follows: ReadonlyArray<Row>): RangeBound => {
  const month = monthOf(today)
  const first = dayPlus(today, 1 - Number(today.slice(8))) ?? today
  return follows.some(row => (row.range.from ?? '') >= first)
    ? { text: today, day: today }
    : { text: month, day: first }
}

const startsOf = (row: Row): string => row.range.from ?? ''

/** The rows that are active when another value begins; each of them ends the day before. */
const rowsToClose = (rows: ReadonlyArray<Row>, from: Day): ReadonlyArray<Row> =>
  rows.filter(row => startsOf(row) < from && (row.range.to === null || row.range.to >= from))

/**
 * The row that restores the last closed value after `to`, where the new value ends before it; empty
 * otherwise.
 */
const remainder = (tag: string, ended: ReadonlyArray<Row>, to: Day): ReadonlyArray<RowChange> => {
  const row = ended.reduce<Row | null>(
    (last, one) => (last === null || startsOf(one) >= startsOf(last) ? one : last),
    null,
  )
  const next = dayPlus(to, 1)
  if (row === null || next === null || (row.range.to !== null && row.range.to <= to)) return []
  const until = row.range.to === null ? null : boundText(row.range.to, 'to')
  return [
    { _tag: 'Add', tag, value: row.value, range: rangeText(boundText(next, 'from'), until), again: row },
  ]
}

/** Corrects, in its place, a row that begins on the same day. */
const correctRow = (row: Row, { value, from, to }: Wanted): ReadonlyArray<RowChange> => {
  if (row.value === value && (to === null || to.day === row.range.to)) return confirmRow([row], row)
  const range = to === null ? null : rangeText(from?.text ?? null, to.text)
  return [{ _tag: 'Rewrite', row, value, range }]
}

const beginValue = (
  rows: ReadonlyArray<Row>,
  wanted: Wanted,
  from: RangeBound | null,
): Either<Row, Changes> => {
  const { tag, value, to } = wanted
  const start: Day | '' = from?.day ?? ''
  const same = rows.findLast(row => startsOf(row) === start)
  if (same !== undefined) return right(correctRow(same, { ...wanted, from }))
  const later = rows.filter(row => startsOf(row) > start)
  const within = to === null ? undefined : later.find(row => startsOf(row) <= to.day)
  if (within !== undefined) return left(within)
  const next = later.reduce<Day | null>(
    (first, { range }) => (first === null || (range.from ?? first) < first ? range.from : first),
    null,
  )
  const until = to?.text ?? (next === null ? null : boundText(before(next), 'to'))
  const ended = start === '' ? [] : rowsToClose(rows, start)
  const add: RowChange = { _tag: 'Add', tag, value, range: rangeText(from?.text ?? null, until) }
  return right([
    ...ended.map(
      (row): RowChange => ({ _tag: 'Until', row, to: start === '' ? '' : boundText(before(start), 'to') }),
    ),
    add,
    ...(to === null ? [] : remainder(tag, ended, to.day)),
  ])
}

type Changes = ReadonlyArray<RowChange>

/**
 * Ends active rows: each at `to`, or the day before `from`. Removes a row that would then end before it
 * begins.
 */
const endRows = (rows: ReadonlyArray<Row>, { from, to }: Pick<Wanted, 'from' | 'to'>, today: Day): Changes =>
  rows
    .filter(row => activeOn(row.range, from?.day ?? today))
    .flatMap((row): Changes => {
      const last = to?.day ?? before(from?.day ?? fromNow(today, [row]).day)
      if (row.range.to === last) return confirmRow(rows, row)
      return last < startsOf(row)
        ? [{ _tag: 'Drop', row }]
        : [{ _tag: 'Until', row, to: to?.text ?? boundText(last, 'to') }]
    })

const same = (tag: string, one: string, other: string): boolean =>
  nameTags.has(tag) || referenceTags.has(tag) ? nameKey(one) === nameKey(other) : nfc(one) === nfc(other)

const add = (
  { tag, value }: Wanted,
  range: { readonly from: string | null; readonly to: string | null },
): Changes => [{ _tag: 'Add', tag, value, range: rangeText(range.from, range.to) }]

const meets = (row: Row, from: string, to: string | null): boolean =>
  (to === null || (row.range.from ?? '') <= to) && (row.range.to === null || row.range.to >= from)

const holds = (row: Row, from: string, to: string | null): boolean =>
  (row.range.from ?? '') <= from && (row.range.to === null || (to !== null && row.range.to >= to))

/**
 * Adds a value to a tag of several values. Left: a row with this value that is active for a part of the
 * requested days.
 */
const another = (rule: TagRule, wanted: Wanted, ground: Ground): Either<Row, Changes> => {
  const { tag, value, from, to } = wanted
  const rows = ground.rows.filter(row => same(tag, row.value, value))
  if (from === undefined) {
    const now = ground.active.find(row => same(tag, row.value, value))
    if (now !== undefined) {
      const ends = to !== null && rows.includes(now) && now.range.to !== to.day
      return right(ends ? [{ _tag: 'Until', row: now, to: to.text }] : confirmRow(rows, now))
    }
  }
  const start = from === undefined ? (isHistory(rule) ? fromNow(ground.today, rows) : null) : from
  const met = rows.filter(row => meets(row, start?.day ?? '', to?.day ?? null))
  const holding = met.filter(row => holds(row, start?.day ?? '', to?.day ?? null))
  if (holding.length > 0) return right(holding.flatMap(row => confirmRow(rows, row)))
  const [first] = met
  if (first !== undefined) return left(first)
  return right(add(wanted, { from: start?.text ?? null, to: to?.text ?? null }))
}

/** Replaces the value of the last row: a tag that is not dated has no history. */
const replaceValue = ({ tag, value }: Wanted, rows: ReadonlyArray<Row>): Changes => {
  const row = rows.at(-1)
  if (row === undefined) return [{ _tag: 'Add', tag, value, range: '' }]
  const isSame = row.value === value && row.range.from === null && row.range.to === null
  return isSame ? confirmRow(rows, row) : [{ _tag: 'Rewrite', row, value, range: '' }]
}
