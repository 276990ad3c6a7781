import type { EntityTag } from '#protocol/entities/entity.js'
import { type JsonText, jsonText } from '#src/lore/json-bytes.js'
import type { Row } from '#src/lore/row.js'
import { mapInSlices, restingOver, type Sliced } from '#src/lore/sliced.js'
import type { Entity } from './entity.js'
import { tagOf } from './projection.js'

/** The rows of a shown entity, as values or as JSON. */
export type TagsOf = (shown: Entity) => Sliced<ReadonlyArray<EntityTag> | JsonText>

/** Characters of rendered rows that are kept while one list is made. */
const keptLengthMax = 16 * 1024 * 1024

/**
 * The rows of entities of one list. Thousands of blocks may take the rows of one file by `@ref`: each such row is
 * rendered once, so that a list costs what it is long. What is kept has a bound and goes with the list.
 */
export const tagsOfOneList = (): TagsOf => {
  const kept = new Map<Row, string>()
  let length = 0
  const textOf = (row: Row): string => {
    const known = kept.get(row)
    if (known !== undefined) return known
    const text = JSON.stringify(tagOf(row))
    length += text.length
    if (length <= keptLengthMax) kept.set(row, text)
    return text
  }
  return function* ({ ref, rows }) {
    if (ref === null) return yield* mapInSlices(rows, tagOf)
    const texts: Array<string> = []
    yield* restingOver(rows, row => texts.push(textOf(row)))
    return jsonText(`[${texts.join(',')}]`)
  }
}
