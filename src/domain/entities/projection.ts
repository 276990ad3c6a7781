import type { Day } from '#protocol/atoms.js'
import type { EntityTag, EntityAnswer as Projection } from '#protocol/entities.js'
import { servedFiguresOn } from '#src/domain/lore/figures.js'
import { scalarOn, valuesOn } from '#src/domain/lore/rows/on-day.js'
import type { Row } from '#src/domain/lore/rows/row.js'
import { removeTopics } from '#src/domain/lore/topic-text.js'
import { atOnce, mapInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import type { Entity } from './entity.js'
import { visibleEntityInSlices } from './shown-rows.js'
import {
  aliasesOn,
  documentOn,
  doorsOn,
  genericNamesOn,
  groupsOn,
  locationOn,
  quantityOn,
  statusOn,
  typeOn,
} from './state.js'

export const entityTagOf = (row: Row): EntityTag => ({
  Tag: row.tag,
  Value: row.value,
  From: row.range.from,
  To: row.range.to,
  Auto: row.auto,
  File: row.source._tag === 'File' ? row.source.path : null,
  Session: row.source._tag === 'Session' ? row.source.header : null,
  Line: row.source._tag === 'File' ? row.line : null,
})

/** Returns the name of an entity's owner on a day, as it is served. */
export type OwnerName = (entity: Entity, day: Day) => string | null

/** A projection whose rows have another form than values. */
export type ProjectionWith<A> = Omit<Projection, 'Tags'> & { readonly Tags: A }

const buildProjection = <A>(entity: Entity, day: Day, owner: string | null, tags: A): ProjectionWith<A> => ({
  Name: entity.name,
  Type: typeOn(entity, day),
  Status: statusOn(entity, day),
  Owner: owner,
  Groups: groupsOn(entity, day),
  Location: locationOn(entity, day),
  Region: scalarOn(entity.rows, 'region', day),
  Doors: doorsOn(entity, day),
  Aliases: aliasesOn(entity, day),
  GenericNames: genericNamesOn(entity, day),
  Quantity: quantityOn(entity, day),
  GameId: scalarOn(entity.rows, 'gameid', day),
  ...servedFiguresOn(entity.rows, day),
  Info: valuesOn(entity.rows, 'info', day),
  Document: documentOn(entity, day),
  Tags: tags,
  RefFile: entity.ref?.file ?? null,
  RefForm: entity.ref?.form ?? null,
  RefBroken: entity.ref !== null && entity.ref.broken !== null,
  RefBrokenReason: entity.ref?.broken ?? null,
  File: entity.file,
  Line: entity.line,
  MatchedToken: null,
  MatchStage: null,
})

/**
 * An entity as it is served: its fields on a day, and every row that may be shown, with any range. Yields
 * between rows.
 */
export const projectWithInSlices = function* <A>(
  entity: Entity,
  day: Day,
  owner: string | null,
  tagsOf: (shown: Entity) => Sliced<A>,
): Sliced<ProjectionWith<A>> {
  const shown = yield* visibleEntityInSlices(entity)
  const tags = yield* tagsOf(shown)
  return buildProjection(shown, day, owner === null ? null : removeTopics(owner), tags)
}

/** The projection with rows as values, without yielding. */
export const projectionOf = (entity: Entity, day: Day, owner: string | null): Projection =>
  atOnce(projectWithInSlices(entity, day, owner, shown => mapInSlices(shown.rows, entityTagOf)))
