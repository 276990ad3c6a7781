import type { Day } from '#protocol/atoms.js'
import { canonicalPath } from '#src/domain/entities/canonical-path.js'
import {
  type Entities,
  type Entity,
  genericNamesOn,
  locationOn,
  ownerOn,
  quantityOn,
  statusOn,
  typeOn,
} from '#src/domain/entities/entity.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'
import type { Fields } from '#test/support/matching.js'

const historyOf = (entity: Entity, tag: string, field: string): ReadonlyArray<Fields> =>
  entity.rows
    .filter(row => row.tag === tag)
    .map(row => ({ [field]: row.value, validFrom: row.range.from, validTo: row.range.to }))

const valuesOf = (entity: Entity, tag: string): ReadonlyArray<string> =>
  entity.rows.filter(row => row.tag === tag).map(row => row.value)

const overridesOf = (rows: ReadonlyArray<Row>): Fields => {
  const lists: Record<string, Array<string>> = {}
  for (const row of rows) (lists[row.tag] ??= []).push(row.value)
  return lists
}

/** An entity in the terms of the case files: fields on a day, with complete histories and overrides. */
export const legacyViewOf = (entities: Entities, entity: Entity, day: Day): Fields => ({
  name: entity.name,
  type: typeOn(entity, day),
  status: statusOn(entity, day),
  owner: ownerOn(entity, day),
  location: locationOn(entity, day),
  quantity: quantityOn(entity, day)?.toString() ?? null,
  cn: canonicalPath(entities, entity, day).path,
  aliases: valuesOf(entity, 'alias'),
  names: [
    entity.name,
    ...entity.rows.filter(row => nameTags.has(row.tag)).map(row => row.value),
    ...genericNamesOn(entity, day),
  ],
  genericNames: genericNamesOn(entity, day),
  contains: valuesOf(entity, 'zawiera'),
  overrides: overridesOf(entity.rows),
  locationHistory: historyOf(entity, 'lokacja', 'location'),
  statusHistory: historyOf(entity, 'status', 'status'),
  typeHistory: historyOf(entity, 'typ', 'type'),
  groupHistory: historyOf(entity, 'grupa', 'group'),
  doorHistory: historyOf(entity, 'drzwi', 'location'),
  quantityHistory: historyOf(entity, 'ilość', 'quantity'),
})
