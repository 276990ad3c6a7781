import type { Day } from '#protocol/atoms.js'
import { activeOn } from './range.js'
import type { Row } from './row.js'

/**
 * The row of a scalar tag on a day: the last active one in the deciding order (FORMATS 1.5); null when none
 * is active.
 */
export const rowOn = (rows: ReadonlyArray<Row>, tag: string, day: Day): Row | null =>
  rows.findLast(row => row.tag === tag && activeOn(row.range, day)) ?? null

/** The value of a scalar tag on a day; null when no row is active or the value is empty. */
export const scalarOn = (rows: ReadonlyArray<Row>, tag: string, day: Day): string | null => {
  const value = rowOn(rows, tag, day)?.value ?? ''
  return value === '' ? null : value
}

/** All values of a tag that are active on a day, in order, without repetition. */
export const valuesOn = (rows: ReadonlyArray<Row>, tag: string, day: Day): ReadonlyArray<string> => {
  const values = new Set<string>()
  for (const row of rows)
    if (row.tag === tag && row.value !== '' && activeOn(row.range, day)) values.add(row.value)
  return [...values]
}

/** The parts of a comma list; each continuation line starts a part too. */
export const commaList = (text: string): ReadonlyArray<string> =>
  text
    .split(/[,\n]/u)
    .map(part => part.trim())
    .filter(part => part !== '')
