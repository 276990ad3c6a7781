import type { Day } from '#protocol/atoms.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { readQuantity } from '#src/domain/lore/decimal.js'
import type { Row } from '#src/domain/lore/rows/row.js'
import { insertRow, lastActive, type RowTree, rowsIn, treeOf } from './row-tree.js'

/** The rows of a tag: a list as in the block, a tree once a session uses them. */
type TagRows = ReadonlyArray<Row> | RowTree
type TagTrees = Map<string, TagRows>

/**
 * State while an overlay is built: the rows that sessions add, and the rows of each tag in the deciding
 * order.
 */
export interface Timelines {
  readonly added: Map<Entity, Array<Row>>
  readonly byTag: Map<Entity, TagTrees>
}

export const newTimelines = (): Timelines => ({ added: new Map(), byTag: new Map() })

/** The rows of a block by tag, in the deciding order, collected in one pass. */
const rowTreesOf = ({ rows }: Entity): TagTrees => {
  const byTag = new Map<string, Array<Row>>()
  for (const row of rows) {
    const known = byTag.get(row.tag)
    if (known === undefined) byTag.set(row.tag, [row])
    else known.push(row)
  }
  return byTag
}

const treesOf = ({ byTag }: Timelines, entity: Entity): TagTrees => {
  const known = byTag.get(entity)
  if (known !== undefined) return known
  const trees = rowTreesOf(entity)
  byTag.set(entity, trees)
  return trees
}

const isList = (rows: TagRows): rows is ReadonlyArray<Row> => Array.isArray(rows)

const treeAt = (timelines: Timelines, entity: Entity, tag: string): RowTree | null => {
  const trees = treesOf(timelines, entity)
  const known = trees.get(tag)
  if (known === undefined) return null
  if (!isList(known)) return known
  const tree = treeOf(known)
  if (tree !== null) trees.set(tag, tree)
  return tree
}

/** The rows of a tag in the deciding order, including those of the sessions so far. */
export const rowsOf = (timelines: Timelines, entity: Entity, tag: string): Iterable<Row> => {
  const known = timelines.byTag.get(entity)
  if (known === undefined) return entity.rows.filter(row => row.tag === tag)
  const rows = known.get(tag)
  return rows === undefined ? [] : isList(rows) ? rows : rowsIn(rows)
}

/** The last active row of a tag on a day, including those of the sessions so far; null when there is none. */
export const timelineRowOn = (timelines: Timelines, entity: Entity, tag: string, day: Day): Row | null =>
  lastActive(treeAt(timelines, entity, tag), day) ?? null

/** The value of the row that `timelineRowOn` finds. */
export const valueOn = (timelines: Timelines, entity: Entity, tag: string, day: Day): string | null =>
  timelineRowOn(timelines, entity, tag, day)?.value ?? null

/** The quantity on a day; 0 when there is none or it is no whole number. */
export const timelineQuantityOn = (timelines: Timelines, entity: Entity, day: Day): number => {
  const text = valueOn(timelines, entity, 'ilość', day)
  return text === null ? 0 : (readQuantity(text) ?? 0)
}

/** Adds a row after those with the same FROM. */
export const addRow = (timelines: Timelines, entity: Entity, row: Row): void => {
  const tree = insertRow(treeAt(timelines, entity, row.tag), row)
  treesOf(timelines, entity).set(row.tag, tree)
  const added = timelines.added.get(entity)
  if (added === undefined) timelines.added.set(entity, [row])
  else added.push(row)
}
