import type { EntityTag } from '#protocol/entities.js'
import { type JsonPiece, type RenderedJson, wrapRenderedJson } from '#src/domain/json/json-bytes.js'
import type { Row } from '#src/domain/lore/rows/row.js'
import { mapInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import type { Entity } from './entity.js'
import { entityTagOf } from './projection.js'

/** Renders the rows of a shown entity, as values or as JSON. */
export type TagsOf = (shown: Entity) => Sliced<ReadonlyArray<EntityTag> | RenderedJson>

/** Bytes of rendered rows that are cached while one list is rendered. */
const keptBytesMax = 16 * 1024 * 1024

/** How many rows are rendered and looked up together. */
const runRowsMax = 256

/** Adjacent rows that several blocks share, as JSON without the brackets. */
interface Run {
  readonly rows: ReadonlyArray<Row>
  readonly bytes: Buffer
}

const standsAt = ({ rows }: Run, all: ReadonlyArray<Row>, at: number): boolean =>
  rows.every((row, nth) => row === all[at + nth])

const render = (rows: ReadonlyArray<Row>): Buffer =>
  Buffer.from(JSON.stringify(rows.map(entityTagOf)).slice(1, -1))

/**
 * Renders the rows of the entities of one list. Thousands of blocks may take the rows of one file by `@ref`:
 * a run of such rows is rendered once and its bytes are reused in every block. The cache is bounded and lives
 * as long as the list.
 */
export const tagsOfOneList = (): TagsOf => {
  const kept = new Map<Row, Run>()
  let keptBytes = 0
  const runAt = ({ file, rows }: Entity, at: number): Run => {
    const [first, isOwn] = [rows[at], (row: Row) => row.source._tag !== 'File' || row.source.path === file]
    const known = first === undefined ? undefined : kept.get(first)
    if (known !== undefined && standsAt(known, rows, at)) return known
    const whose = first === undefined || isOwn(first)
    const next = rows.slice(at, at + runRowsMax)
    const end = next.findIndex(row => isOwn(row) !== whose)
    const taken = end < 0 ? next : next.slice(0, end)
    const made: Run = { rows: taken, bytes: render(taken) }
    if (first === undefined || whose || keptBytes + made.bytes.length > keptBytesMax) return made
    keptBytes += made.bytes.length
    kept.set(first, made)
    return made
  }
  return function* (shown) {
    if (shown.ref === null) return yield* mapInSlices(shown.rows, entityTagOf)
    const pieces: Array<JsonPiece> = []
    for (let at = 0; at < shown.rows.length; ) {
      const run = runAt(shown, at)
      pieces.push(at === 0 ? '[' : ',', run.bytes)
      at += run.rows.length
      yield
    }
    return wrapRenderedJson([...pieces, pieces.length === 0 ? '[]' : ']'])
  }
}
