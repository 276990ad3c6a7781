import type { Day } from '#protocol/atoms.js'
import { activeOn } from '#src/domain/lore/rows/range.js'
import type { LegacyRow } from './registry-row.js'

const fromKey = (row: LegacyRow): string => row.range.from ?? ''

/** Rows in the deciding order: undated first, then by FROM, ties by primacy (FORMATS 1.5). */
export const byFrom = (rows: ReadonlyArray<LegacyRow>): ReadonlyArray<LegacyRow> =>
  [...rows].sort((left, right) =>
    fromKey(left) === fromKey(right) ? 0 : fromKey(left) < fromKey(right) ? -1 : 1,
  )

/** Rows of a tag that cover the day. */
export const activeRows = (rows: ReadonlyArray<LegacyRow>, tag: string, day: Day): ReadonlyArray<LegacyRow> =>
  byFrom(rows.filter(row => row.tag === tag && activeOn(row.range, day)))

/** The row of a scalar on the day: its last active one. */
export const legacyScalarOn = (rows: ReadonlyArray<LegacyRow>, tag: string, day: Day): LegacyRow | null =>
  activeRows(rows, tag, day).at(-1) ?? null
