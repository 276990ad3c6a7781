import type { Day } from '#protocol/atoms/day.js'
import type { Entity } from '#src/entities/entity.js'
import { activeOn } from '#src/lore/range.js'
import type { Row } from '#src/lore/row.js'

/** The rows that sessions add, and the rows of each tag in the deciding order, while an overlay is made. */
export interface Timelines {
  readonly added: Map<Entity, Array<Row>>
  readonly byTag: Map<Entity, Map<string, Array<Row>>>
}

export const newTimelines = (): Timelines => ({ added: new Map(), byTag: new Map() })

/** The rows of a tag, sessions so far included, in the deciding order. */
export const rowsOf = ({ byTag }: Timelines, entity: Entity, tag: string): Array<Row> => {
  const tags = byTag.get(entity) ?? new Map<string, Array<Row>>()
  byTag.set(entity, tags)
  const rows = tags.get(tag) ?? entity.rows.filter(row => row.tag === tag)
  tags.set(tag, rows)
  return rows
}

/** The last active row of a tag on a day, sessions so far included; null when there is none. */
export const rowOn = (timelines: Timelines, entity: Entity, tag: string, day: Day): Row | null =>
  rowsOf(timelines, entity, tag).findLast(row => activeOn(row.range, day)) ?? null

/** The value of that row. */
export const valueOn = (timelines: Timelines, entity: Entity, tag: string, day: Day): string | null =>
  rowOn(timelines, entity, tag, day)?.value ?? null

const whole = /^-?\d{1,15}$/

/** The quantity on a day; 0 where none is stated or it is no whole number. */
export const quantityOn = (timelines: Timelines, entity: Entity, day: Day): number => {
  const text = valueOn(timelines, entity, 'ilość', day) ?? ''
  return whole.test(text) ? Number(text) : 0
}

/** Adds a row after those of the same FROM. Sessions come by date, so its place is near the end. */
export const addRow = (timelines: Timelines, entity: Entity, row: Row): void => {
  const rows = rowsOf(timelines, entity, row.tag)
  let at = rows.length
  while (at > 0 && (rows[at - 1]?.range.from ?? '') > (row.range.from ?? '')) at -= 1
  rows.splice(at, 0, row)
  const added = timelines.added.get(entity)
  if (added === undefined) timelines.added.set(entity, [row])
  else added.push(row)
}
