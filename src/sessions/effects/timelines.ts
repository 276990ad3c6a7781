import type { Day } from '#protocol/atoms/day.js'
import type { Entity } from '#src/entities/entity.js'
import type { Row } from '#src/lore/row.js'
import { insertRow, lastActive, type RowTree, rowsIn, treeOf } from './row-tree.js'

type TagTrees = Map<string, RowTree | null>

/** The rows that sessions add, and the rows of each tag in the deciding order, while an overlay is made. */
export interface Timelines {
  readonly added: Map<Entity, Array<Row>>
  readonly byTag: Map<Entity, TagTrees>
}

export const newTimelines = (): Timelines => ({ added: new Map(), byTag: new Map() })

/** The rows of a block in the deciding order, by tag: read once, however many tags the sessions name. */
const statedTrees = ({ rows }: Entity): TagTrees => {
  const byTag = new Map<string, Array<Row>>()
  for (const row of rows) {
    const known = byTag.get(row.tag)
    if (known === undefined) byTag.set(row.tag, [row])
    else known.push(row)
  }
  return new Map([...byTag].map(([tag, tagged]) => [tag, treeOf(tagged)] as const))
}

const treesOf = ({ byTag }: Timelines, entity: Entity): TagTrees => {
  const known = byTag.get(entity)
  if (known !== undefined) return known
  const trees = statedTrees(entity)
  byTag.set(entity, trees)
  return trees
}

/** The rows of a tag, sessions so far included, in the deciding order. */
export const rowsOf = (timelines: Timelines, entity: Entity, tag: string): Iterable<Row> =>
  rowsIn(treesOf(timelines, entity).get(tag) ?? null)

/** The last active value of a tag on a day, sessions so far included; null when there is none. */
export const valueOn = (timelines: Timelines, entity: Entity, tag: string, day: Day): string | null =>
  lastActive(treesOf(timelines, entity).get(tag) ?? null, day)?.value ?? null

/** Adds a row after those of the same FROM. */
export const addRow = (timelines: Timelines, entity: Entity, row: Row): void => {
  const trees = treesOf(timelines, entity)
  trees.set(row.tag, insertRow(trees.get(row.tag) ?? null, row))
  const added = timelines.added.get(entity)
  if (added === undefined) timelines.added.set(entity, [row])
  else added.push(row)
}
