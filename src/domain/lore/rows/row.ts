import type { EntityType, RepoPath } from '#protocol/atoms.js'
import type { Range } from './range.js'

/** The origin of a row: a committed file, or the Zmiany or Transfer of a session (FORMATS 4.5). */
export type RowSource =
  | { readonly _tag: 'File'; readonly path: RepoPath }
  | { readonly _tag: 'Session'; readonly header: string }

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
