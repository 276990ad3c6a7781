import type { Day } from '#protocol/atoms.js'
import { activeOn } from './days.js'
import type { Row } from './row-change.js'

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

/**
 * Sorts rows so that the last active one decides: within each tag undated rows first, then by FROM, ties in
 * file order (FORMATS 1.5). Each tag keeps its positions among the others.
 */
export const sortByPrecedence = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  if (isOrdered(rows)) return rows
  const ordered = [...rows]
  for (const places of groupsOf(rows).values()) {
    const sorted = places
      .flatMap(at => rows[at] ?? [])
      .sort((left, right) => (fromOf(left) < fromOf(right) ? -1 : fromOf(left) > fromOf(right) ? 1 : 0))
    sorted.forEach((row, nth) => {
      const at = places[nth]
      if (at !== undefined) ordered[at] = row
    })
  }
  return ordered
}

const fromOf = (row: Row): string => row.range.from ?? ''

const groupsOf = (rows: ReadonlyArray<Row>): ReadonlyMap<string, ReadonlyArray<number>> => {
  const groups = new Map<string, Array<number>>()
  rows.forEach((row, at) => {
    const group = groups.get(row.tag)
    if (group === undefined) groups.set(row.tag, [at])
    else group.push(at)
  })
  return groups
}

const isOrdered = (rows: ReadonlyArray<Row>): boolean => {
  const last = new Map<string, string>()
  return rows.every(row => {
    const from = fromOf(row)
    const ordered = from >= (last.get(row.tag) ?? '')
    last.set(row.tag, from)
    return ordered
  })
}
