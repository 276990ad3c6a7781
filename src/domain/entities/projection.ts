import type { Day } from '#protocol/atoms.js'
import type { EntityAnswer, EntityName, EntityReference, EntityTag } from '#protocol/lore/entities.js'
import { type JsonPiece, type RenderedJson, wrapRenderedJson } from '#src/domain/json/json-bytes.js'
import { servedFiguresOn } from '#src/domain/lore/figures.js'
import { scalarOn, valuesOn } from '#src/domain/lore/rows/deciding-order.js'
import { pathOfSource, type Row } from '#src/domain/lore/rows/row-change.js'
import { isCredentialTag, isTopicTag, opensChannel, removeTopics } from '#src/domain/lore/topic-text.js'
import { atOnce, forEachInSlices, mapInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import { entityMeant, ownerBlockOn } from './entities.js'
import {
  aliasesOn,
  documentOn,
  doorsOn,
  type Entities,
  type Entity,
  genericNamesOn,
  groupsOn,
  locationOn,
  quantityOn,
  statusOn,
  typeOn,
} from './entity.js'
import { placeNamed } from './places.js'

/** Returns the name of an entity's owner on a day, as it is served. */
export type OwnerName = (entity: Entity, day: Day) => string | null

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

/** Renders the rows of a shown entity, as values or as JSON. */
export type TagsOf = (shown: Entity) => Sliced<ReadonlyArray<EntityTag> | RenderedJson>

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

export const entityNameOf = (entity: Entity, day: Day): EntityName => ({
  name: entity.name,
  type: typeOn(entity, day),
})

/** The relations of an entity to others on a day, in both directions. */
export const relationsOn = (entities: Entities, entity: Entity, day: Day) => {
  const reverse = reverseOn(entities, day)
  const shown = visibleEntity(entity)
  const [owner, location] = [ownerBlockOn(entities, shown, day), locationOn(shown, day)]
  const named = (one: Entity): EntityName => entityNameOf(one, day)
  const place = (text: string): EntityReference => reference(text, placeNamed(entities, text, day), day)
  return {
    owner: owner === null ? null : reference(owner.text, owner.block, day),
    owned: (reverse.owned.get(entity) ?? []).map(named),
    groups: groupsOn(shown, day).map(text => reference(text, entityMeant(entities, text, ['Grupa']), day)),
    members: (reverse.members.get(entity) ?? []).map(named),
    location: location === null ? null : place(location),
    residents: (reverse.residents.get(entity) ?? []).map(named),
    doors: doorsOn(shown, day).map(place),
    refs:
      entity.ref === null
        ? []
        : [{ file: entity.ref.file, form: entity.ref.form, brokenReason: entity.ref.broken }],
  }
}

export const entityTagOf = (row: Row): EntityTag => ({
  Tag: row.tag,
  Value: row.value,
  From: row.range.from,
  To: row.range.to,
  Auto: row.auto,
  File: pathOfSource(row.source),
  Session: row.source._tag === 'Session' ? row.source.header : null,
  Line: row.source._tag === 'Session' ? null : row.line,
})

/** A projection whose rows have another form than values. */
type ProjectionWith<A> = Omit<EntityAnswer, 'Tags'> & { readonly Tags: A }

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

const reference = (text: string, entity: Entity | null, day: Day): EntityReference =>
  entity === null ? { name: text, type: null } : entityNameOf(entity, day)

/** By block: the entities that name it as owner, group or place on a day. */
interface Reverse {
  readonly owned: ReadonlyMap<Entity, ReadonlyArray<Entity>>
  readonly members: ReadonlyMap<Entity, ReadonlyArray<Entity>>
  readonly residents: ReadonlyMap<Entity, ReadonlyArray<Entity>>
}

const put = (map: Map<Entity, Array<Entity>>, owner: Entity | null, entity: Entity): void => {
  if (owner === null || owner === entity) return
  const known = map.get(owner)
  if (known === undefined) map.set(owner, [entity])
  else known.push(entity)
}

const reverseOf = (entities: Entities, day: Day): Reverse => {
  const owned = new Map<Entity, Array<Entity>>()
  const members = new Map<Entity, Array<Entity>>()
  const residents = new Map<Entity, Array<Entity>>()
  for (const entity of entities.all) {
    const [owner, location] = [ownerBlockOn(entities, entity, day), locationOn(entity, day)]
    if (owner !== null) put(owned, owner.block, entity)
    if (location !== null) put(residents, placeNamed(entities, location, day), entity)
    for (const group of groupsOn(entity, day)) put(members, entityMeant(entities, group, ['Grupa']), entity)
  }
  return { owned, members, residents }
}

const reverses = new WeakMap<Entities, { readonly day: Day; readonly reverse: Reverse }>()

/** The reverse index, cached per snapshot part for one day; another day replaces it. */
const reverseOn = (entities: Entities, day: Day): Reverse => {
  const known = reverses.get(entities)
  if (known?.day === day) return known.reverse
  const reverse = reverseOf(entities, day)
  reverses.set(entities, { day, reverse })
  return reverse
}
