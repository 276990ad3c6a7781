import type { Row } from '#src/domain/lore/rows/row.js'
import { removeTopics } from '#src/domain/lore/topic-text.js'
import { isCredentialTag, isTopicTag, opensChannel } from '#src/domain/lore/withheld-tags.js'
import { atOnce, forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import type { Entity } from './entity.js'

/**
 * The row without parts that no answer about entities shows; null when nothing is left, the same object when
 * nothing is hidden.
 */
const visibleRow = (row: Row): Row | null => {
  const { tag } = row
  if (isCredentialTag(tag) || opensChannel(tag, row.value) || isTopicTag(tag)) return null
  const value = removeTopics(row.value)
  return value === null ? null : value === row.value ? row : { ...row, value }
}

const shown = new WeakMap<ReadonlyArray<Row>, ReadonlyArray<Row>>()

/**
 * The rows of an entity that may be served. Credentials are in no answer (D36); restricted topics, also those
 * in the value of another row, need `player.restricted.read` and are served by the routes of people and
 * characters (A 2.3). Cached; the first call yields between rows.
 */
export const visibleRowsInSlices = function* ({ rows }: Entity): Sliced<ReadonlyArray<Row>> {
  const known = shown.get(rows)
  if (known !== undefined) return known
  const kept: Array<Row> = []
  yield* forEachInSlices(rows, row => {
    const one = visibleRow(row)
    if (one !== null) kept.push(one)
  })
  const same = kept.length === rows.length && kept.every((row, at) => row === rows[at])
  const served = same ? rows : kept
  shown.set(rows, served)
  return served
}

/** Runs `visibleRowsInSlices` to its end without yielding. */
export const visibleRows = (entity: Entity): ReadonlyArray<Row> => atOnce(visibleRowsInSlices(entity))

/** The entity with only the rows that may be served. Answers must read entities through this. */
export const visibleEntityInSlices = function* (entity: Entity): Sliced<Entity> {
  const rows = yield* visibleRowsInSlices(entity)
  return rows === entity.rows ? entity : { ...entity, rows }
}

/** Runs `visibleEntityInSlices` to its end without yielding. */
export const visibleEntity = (entity: Entity): Entity => atOnce(visibleEntityInSlices(entity))
