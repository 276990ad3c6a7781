import type { TimelineEntry } from '#protocol/entities.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { visibleRowsInSlices } from '#src/domain/entities/shown-rows.js'
import type { Row } from '#src/domain/lore/rows/row.js'
import { mapInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import { sortInSlices } from '#src/domain/slicing/sort-in-slices.js'
import type { Session } from '../session.js'

/** The labels of FORMATS 8; any other tag keeps its own name. */
const labels: ReadonlyMap<string, string> = new Map([
  ['lokacja', 'Lokacja'],
  ['status', 'Status'],
  ['grupa', 'Grupa'],
  ['należy_do', 'Właściciel'],
  ['typ', 'Typ'],
  ['drzwi', 'Drzwi'],
  ['ilość', 'Ilość'],
])

/** The label of a tag in answers. */
export const propertyOf = (tag: string): string => labels.get(tag) ?? tag

const ofRow = (row: Row): TimelineEntry => ({
  date: row.range.from,
  dateEnd: row.range.to,
  property: propertyOf(row.tag),
  value: row.value,
  auto: row.auto,
  file: row.source._tag === 'File' ? row.source.path : null,
  session: row.source._tag === 'Session' ? row.source.header : null,
})

const ofSession = (session: Session): TimelineEntry => ({
  date: session.date,
  dateEnd: session.dateEnd,
  property: 'Sesja',
  value: session.title,
  auto: false,
  file: session.path,
  session: session.header,
})

const byDate = (one: TimelineEntry, other: TimelineEntry): number => {
  const [first, second] = [one.date ?? '', other.date ?? '']
  return first < second ? -1 : first > second ? 1 : 0
}

/**
 * Dated rows and sessions, oldest first; rows without a first day come first (FORMATS 8). Yields between
 * them.
 */
export const timelineInSlices = function* (
  entity: Entity,
  sessions: ReadonlyArray<Session>,
): Sliced<ReadonlyArray<TimelineEntry>> {
  const dated = (yield* visibleRowsInSlices(entity)).filter(
    ({ range }) => range.from !== null || range.to !== null,
  )
  const entries = [...(yield* mapInSlices(dated, ofRow)), ...(yield* mapInSlices(sessions, ofSession))]
  return yield* sortInSlices(entries, byDate)
}
