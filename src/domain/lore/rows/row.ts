import type { RepoPath } from '#protocol/atoms/path.js'
import type { EntityType } from '#protocol/atoms/vocabulary.js'
import type { Range } from './range.js'

/** Where a row comes from: a committed file, or the Zmiany or Transfer of a session (FORMATS 4.5). */
export type RowSource =
  | { readonly _tag: 'File'; readonly path: RepoPath }
  | { readonly _tag: 'Session'; readonly header: string }

/**
 * One `- @tag: value (from:to)` line with its continuation. `tag` is NFC, lower case, without the at sign;
 * `value` has continuation lines joined by a newline and the range cut off. A bullet below a tag that stands
 * for a value of its own (FORMATS 1.6) is a row too: `line` is then the bullet's.
 */
export interface Row {
  readonly tag: string
  readonly value: string
  readonly range: Range
  /** Written by a machine: ` (auto)` after the range. */
  readonly auto: boolean
  /** First line in its file, counted from 1. */
  readonly line: number
  /** Last line that belongs to it, inclusive. The lines between are all its own. */
  readonly endLine: number
  readonly source: RowSource
  /** The owner that `@należy_do` of a closed session named when the session was closed, where that is recorded. */
  readonly owner?: { readonly heading: string; readonly type: EntityType }
}
