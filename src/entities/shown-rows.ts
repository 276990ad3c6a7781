import { perValue } from '#src/lore/per-value.js'
import type { Row } from '#src/lore/row.js'
import { openValue } from '#src/lore/topic-text.js'
import { isCredentialTag, isTopicTag, opensChannel } from '#src/lore/withheld-tags.js'
import type { Entity } from './entity.js'

/** The row without what no answer about entities shows; the very same row where it has nothing of the kind. */
const shownRow = (row: Row): ReadonlyArray<Row> => {
  const { tag } = row
  if (isCredentialTag(tag) || opensChannel(tag, row.value) || isTopicTag(tag)) return []
  const value = openValue(row.value)
  return value === null ? [] : [value === row.value ? row : { ...row, value }]
}

/**
 * The rows of an entity that are served. Credentials are in no answer (D36); restricted topics, also those in the value
 * of another row, need `player.restricted.read` and are served by the routes of people and characters (A 2.3).
 */
export const shownRows = perValue((entity: Entity): ReadonlyArray<Row> => {
  const shown = entity.rows.flatMap(shownRow)
  return shown.length === entity.rows.length && shown.every((row, at) => row === entity.rows[at])
    ? entity.rows
    : shown
})

/** The entity with the rows that are served: what an answer tells of it is read from this. */
export const shownEntity = (entity: Entity): Entity => {
  const rows = shownRows(entity)
  return rows === entity.rows ? entity : { ...entity, rows }
}
