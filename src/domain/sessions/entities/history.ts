import type { Day } from '#protocol/atoms.js'
import type { HistoryEntry } from '#protocol/entities.js'
import type { Window, Windowed } from '#protocol/list.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { visibleRowsInSlices } from '#src/domain/entities/shown-rows.js'
import { renderPageInSlices } from '#src/domain/json/list-bytes.js'
import type { Row } from '#src/domain/lore/rows/row.js'
import { redactCredentials } from '#src/domain/redaction/scrub.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { sortInSlices } from '#src/domain/slicing/sort-in-slices.js'
import { propertyOf } from './timeline.js'

/** First and last allowed day of FROM, inclusive. */
export interface HistoryWindow {
  readonly from?: Day | undefined
  readonly to?: Day | undefined
}

const entryOf = (row: Row): HistoryEntry => ({
  date: row.range.from,
  dateEnd: row.range.to,
  property: propertyOf(row.tag),
  tag: row.tag,
  value: redactCredentials(row.value),
  auto: row.auto,
  file: row.source._tag === 'File' ? row.source.path : null,
  line: row.source._tag === 'File' ? row.line : null,
  session: row.source._tag === 'Session' ? row.source.header : null,
})

const byFrom = (one: Row, other: Row): number => {
  const [first, second] = [one.range.from ?? '', other.range.from ?? '']
  return first < second ? -1 : first > second ? 1 : 0
}

/**
 * Every row of the merged state with its source and without credentials, including aliases and generic tags
 * (FORMATS 8). Undated rows come first, then by FROM; rows of one day keep the deciding order. With `from`,
 * rows without FROM are left out. Yields between rows.
 */
export const historyInSlices = function* (
  entity: Entity,
  { from, to }: HistoryWindow,
  page: Window,
): Sliced<Windowed<HistoryEntry>> {
  const rows = (yield* visibleRowsInSlices(entity)).filter(
    ({ range }) =>
      (from === undefined || (range.from !== null && range.from >= from)) &&
      (to === undefined || range.from === null || range.from <= to),
  )
  return yield* renderPageInSlices(yield* sortInSlices(rows, byFrom), page, entryOf)
}
