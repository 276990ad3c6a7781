import type { Row } from './row.js'

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
