import type { Day } from '#protocol/atoms/day.js'
import { activeOn } from '#src/lore/range.js'
import type { Row } from '#src/lore/row.js'

/** The rows of a tag that say something on a day, in their order. */
export const activeRows = (rows: ReadonlyArray<Row>, tag: string, day: Day): ReadonlyArray<Row> =>
  rows.filter(row => row.tag === tag && row.value !== '' && activeOn(row.range, day))

/** The row that decides a scalar: undated ones count as the oldest, then by FROM; the later one where equal (FORMATS 1.5). */
export const deciding = (rows: ReadonlyArray<Row>): Row | null =>
  rows.reduce<Row | null>(
    (best, row) => (best === null || (row.range.from ?? '') >= (best.range.from ?? '') ? row : best),
    null,
  )

/** The value of a scalar tag on a day, null when no row is active. */
export const valueOn = (rows: ReadonlyArray<Row>, tag: string, day: Day): string | null =>
  deciding(activeRows(rows, tag, day))?.value ?? null

/** The values of a tag on a day, each once, in the order of the rows. */
export const valuesOn = (rows: ReadonlyArray<Row>, tag: string, day: Day): ReadonlyArray<string> => [
  ...new Set(activeRows(rows, tag, day).map(row => row.value)),
]
