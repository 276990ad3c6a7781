import { nameKey, type RepoPath } from '#protocol/atoms.js'
import type { Block } from '#src/domain/lore/blocks/block.js'
import { sortByPrecedence } from '#src/domain/lore/rows/deciding-order.js'
import type { Row } from '#src/domain/lore/rows/row.js'
import type { Entity } from '../entity.js'
import { typeOf } from './type-of.js'

/**
 * The type that a block states: the last `@typ` in the deciding order that names one; null when none does.
 */
export const typeInRows = (rows: ReadonlyArray<Row>): Entity['type'] | null => {
  const row = rows.findLast(one => one.tag === 'typ' && typeOf(one.value) !== null)
  return row === undefined ? null : typeOf(row.value)
}

/** The blocks of one file that have a heading and a type together, in groups of two and more. */
export const twinsOf = (
  blocks: ReadonlyArray<Block>,
  file: RepoPath,
): ReadonlyArray<ReadonlyArray<Block>> => {
  const groups = new Map<string, Array<Block>>()
  for (const block of blocks) {
    const entity = entityOfBlock(block, file)
    if (entity === null) continue
    const key = `${entity.type}\n${entity.key}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [block])
    else group.push(block)
  }
  return [...groups.values()].filter(({ length }) => length > 1)
}

/** The entity of a block of an index file; null when it states no type. */
export const entityOfBlock = (block: Block, file: RepoPath): Entity | null => {
  const rows = sortByPrecedence(block.rows)
  const type = typeInRows(rows)
  if (type === null) return null
  const { heading: name, line, endLine } = block
  return { name, key: nameKey(name), type, file, line, endLine, rows, ref: null }
}
