import type { EntityType, RepoPath } from '#protocol/atoms.js'
import { parseBound, type Range } from './days.js'

/**
 * The origin of a row: a committed file, the Zmiany or Transfer of a session (FORMATS 4.5), or a move of money
 * in the ledger of moves.
 */
export type RowSource =
  | { readonly _tag: 'File'; readonly path: RepoPath }
  | { readonly _tag: 'Session'; readonly header: string }
  | { readonly _tag: 'Move'; readonly path: RepoPath; readonly id: string }

/** The file that has the row; null for a row of a session, whose copies may be in several. */
export const pathOfSource = (source: RowSource): RepoPath | null =>
  source._tag === 'Session' ? null : source.path

/**
 * One `- @tag: value (from:to)` line with its continuation. `tag` is NFC, lower case, without the at sign;
 * `value` has continuation lines joined by a newline and no range. A bullet below a tag that is a separate
 * value (FORMATS 1.6) is a row too: `line` is then the bullet's.
 */
export interface Row {
  readonly tag: string
  readonly value: string
  readonly range: Range
  /**
   * A side of the range looks like a day and is none (`2023-06-31`), so that it is open there. Such a row gives no
   * right (docs/spec/rights.md#a-5-1).
   */
  readonly unsure?: true
  /** Written by a machine: ` (auto)` after the range. */
  readonly auto: boolean
  /** First line in its file, counted from 1. */
  readonly line: number
  /** Last line of the row, inclusive. All lines between belong to it. */
  readonly endLine: number
  readonly source: RowSource
  /**
   * The owner named by `@należy_do` of a closed session, resolved when the session was closed; absent where
   * the close did not record it.
   */
  readonly owner?: { readonly heading: string; readonly type: EntityType }
}

/** A line that belongs to no row, as written in the file. */
export interface Prose {
  readonly line: number
  readonly text: string
}

/** A `### Heading` block with its rows. `prose` keeps every line that belongs to no row. */
export interface Block {
  /** NFC, trimmed, inner blanks collapsed. */
  readonly heading: string
  /** The section (`## …`) that contains the block; null outside any section. */
  readonly section: string | null
  readonly line: number
  /** Last line of the block that is not blank, inclusive. New rows are appended after it. */
  readonly endLine: number
  readonly rows: ReadonlyArray<Row>
  readonly prose: ReadonlyArray<Prose>
}

/** The days of a row as written: `2024-01:2024-05`, `:2024-05`, empty for always. */
export type RangeText = string

/**
 * A change of one row of a block; the other rows keep their lines. Every change that keeps the row removes
 * its ` (auto)` mark, because a person now vouches for it (FORMATS 10).
 */
export type RowChange =
  /**
   * Adds a row after the last one of its tag. `again` is a row of the block whose continuation lines are
   * repeated; `auto` marks it as written by a machine.
   */
  | {
      readonly _tag: 'Add'
      readonly tag: string
      readonly value: string
      readonly range: RangeText
      readonly again?: Row
      readonly auto?: true
    }
  /** Replaces the value of a row; `range` null keeps the days as written. */
  | {
      readonly _tag: 'Rewrite'
      readonly row: Row
      readonly value: string
      readonly range: RangeText | null
    }
  /** Replaces the last day; value and first day stay as written. */
  | { readonly _tag: 'Until'; readonly row: Row; readonly to: string }
  /** Removes only the ` (auto)` mark. */
  | { readonly _tag: 'Unmark'; readonly row: Row }
  | { readonly _tag: 'Drop'; readonly row: Row }

/**
 * The change when a person confirms a row: none, or `Unmark` when a machine wrote it. `rows` are those of the
 * block.
 */
export const confirmRow = (rows: ReadonlyArray<Row>, row: Row | undefined): ReadonlyArray<RowChange> =>
  row?.auto === true && rows.includes(row) ? [{ _tag: 'Unmark', row }] : []

/** The range as a row is written, such as `2024-01:`; empty without either bound. */
export const rangeText = (from: string | null, to: string | null): RangeText =>
  from === null && to === null ? '' : `${from ?? ''}:${to ?? ''}`

/** Whether a change gives a row a last day before its first. */
export const endsFirst = (change: RowChange): boolean => {
  switch (change._tag) {
    case 'Add':
      return isInverted(rangeOf(change.range))
    case 'Rewrite':
      return change.range !== null && isInverted(rangeOf(change.range))
    case 'Until':
      return isInverted({ from: change.row.range.from, to: parseBound(change.to, 'to') })
    case 'Unmark':
    case 'Drop':
      return false
  }
}

const isInverted = ({ from, to }: Range): boolean => from !== null && to !== null && from > to

const rangeOf = (text: RangeText): Range => {
  const [from = '', to = ''] = text.split(':')
  return { from: parseBound(from, 'from'), to: parseBound(to, 'to') }
}
