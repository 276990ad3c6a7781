import { type Day, type EntityType, nameKey } from '#protocol/atoms.js'
import type { Window } from '#protocol/list.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { renderListInSlices, renderWholePartsInSlices } from '#src/domain/json/json-bytes.js'
import { type Sliced } from '#src/domain/slicing/sliced.js'
import type { Entities, Entity } from './entity.js'
import { placeNamed, placesMeant } from './places.js'
import { type OwnerName, projectWithInSlices, type TagsOf, tagsOfOneList } from './projection.js'

/** The result of resolving a value that names a block; `candidates` are the blocks that it may mean. */
export type ReferenceResult =
  | { readonly _tag: 'Known' }
  | { readonly _tag: 'Unknown' }
  | { readonly _tag: 'Ambiguous'; readonly candidates: ReadonlyArray<Entity> }

/**
 * Resolves the value of a tag on a day: by heading, else by another spelling, and first among blocks of the
 * types that the tag is for. Null for tags that name no block. Takes a few look-ups, however many blocks
 * share the name.
 */
export const referenceOf = (
  entities: Entities,
  { type }: Pick<Entity, 'type'>,
  { tag, value }: { readonly tag: string; readonly value: string },
  day: Day,
): ReferenceResult | null => {
  const first = soughtFirst.get(tag)
  if (first === undefined) return null
  const sought: ReadonlyArray<EntityType> = tag === 'należy_do' && type === 'Postać' ? ['Gracz'] : first
  const key = nameKey(value)
  const [headed, called] = [entities.byHeading.get(key) ?? nobody, entities.byAlias.get(key) ?? nobody]
  if (ofTypes(headed, sought).length > 0) return known
  const spelled = ofTypes(called, sought)
  if (spelled.length > 0) return amongAll(spelled)
  const place = sought === places ? asPlace(entities, value, day) : unknown
  if (place._tag !== 'Unknown') return place
  return headed.length > 0 ? amongHeaded(headed) : amongAll(called)
}

/** `fragmentPartsInSlices` in one buffer. */
export const readFragmentInSlices = function* (
  ...args: Parameters<typeof fragmentPartsInSlices>
): Sliced<Buffer> {
  return inOne(yield* fragmentPartsInSlices(...args))
}

/** The answer for a single entity: the fragment with `AlsoTypes` (D12). */
export const fetchInSlices = function* (
  entity: Entity,
  alsoTypes: ReadonlyArray<EntityType>,
  day: Day,
  today: Day,
  ownerOf: OwnerName,
): Sliced<Buffer> {
  const fragment = yield* readFragmentInSlices(entity, day, today, ownerOf)
  return Buffer.concat([
    fragment.subarray(0, fragment.length - 1),
    Buffer.from(`,"AlsoTypes":${JSON.stringify(alsoTypes)}}`, 'utf8'),
  ])
}

/** The list of the projections in the window. Yields between them. */
export const entityListInSlices = (
  all: ReadonlyArray<Entity>,
  window: Window,
  day: Day,
  today: Day,
  ownerOf: OwnerName,
): Sliced<Buffer> => {
  const tagsOf = tagsOfOneList()
  return renderListInSlices(all, window, entity => fragmentPartsInSlices(entity, day, today, ownerOf, tagsOf))
}

/** The whole corpus as one list (D16), rendered once a day. Yields between entities. */
export const corpusInSlices = function* (
  entities: Entities,
  day: Day,
  today: Day,
  ownerOf: OwnerName,
): Sliced<Buffer> {
  const known = corpora.get(entities)
  if (known?.day === day) return known.bytes
  const everything = { named: false, limit: null, offset: 0 }
  const bytes = yield* entityListInSlices(entities.all, everything, day, today, ownerOf)
  if (day === today && bytes.length <= corpusBytesKeptMax) corpora.set(entities, { day, bytes })
  return bytes
}

const known: ReferenceResult = { _tag: 'Known' }
const unknown: ReferenceResult = { _tag: 'Unknown' }

const places: ReadonlyArray<EntityType> = ['Lokacja', 'Region', 'Mapa']

/** Tags whose value is the name of another block, with the types that are looked up first. */
const soughtFirst: ReadonlyMap<string, ReadonlyArray<EntityType>> = new Map([
  ['lokacja', places],
  ['drzwi', places],
  ['należy_do', ['Postać', 'NPC', 'Grupa']],
  ['grupa', ['Grupa']],
  ['region', ['Region']],
])

const nobody: ReadonlyArray<Entity> = []

/** The owners of a spelling by type; cached, because thousands may share one. */
const byType = perValue((owners: ReadonlyArray<Entity>): ReadonlyMap<EntityType, ReadonlyArray<Entity>> => {
  const found = new Map<EntityType, Array<Entity>>()
  for (const one of owners) {
    const those = found.get(one.type)
    if (those === undefined) found.set(one.type, [one])
    else those.push(one)
  }
  return found
})

const ofTypes = (owners: ReadonlyArray<Entity>, types: ReadonlyArray<EntityType>): ReadonlyArray<Entity> => {
  for (const type of types) {
    const those = byType(owners).get(type)
    if (those !== undefined) return those
  }
  return nobody
}

const amongAll = (owners: ReadonlyArray<Entity>): ReferenceResult => {
  if (owners.length === 0) return unknown
  return owners.length === 1 ? known : { _tag: 'Ambiguous', candidates: owners }
}

/**
 * The result for blocks that share a heading. With one type it counts as known: the lint reports such blocks.
 */
const amongHeaded = (owners: ReadonlyArray<Entity>): ReferenceResult =>
  byType(owners).size === 1 ? known : amongAll(owners)

const asPlace = (entities: Entities, value: string, day: Day): ReferenceResult => {
  if (placeNamed(entities, value, day) !== null) return known
  const sharing = placesMeant(entities, value)
  // A path may name the one place of its leaf and another place above it: it means no place then.
  return sharing.length > 1 ? amongAll(sharing) : unknown
}

/** The rendered bytes of a value on one day. */
interface OnDay {
  readonly day: Day
  readonly bytes: Buffer
}

/**
 * The longest fragment and the longest whole corpus that are cached. Longer ones are rendered for each
 * request, so that a hostile lore cannot make the cache grow without limit.
 */
const fragmentBytesKeptMax = 8 * 1024
const corpusBytesKeptMax = 32 * 1024 * 1024

interface Fragment extends OnDay {
  readonly owner: string | null
}

const inOne = (parts: ReadonlyArray<Buffer>): Buffer => {
  const [first] = parts
  return parts.length === 1 && first !== undefined ? first : Buffer.concat(parts)
}

const fragments = new WeakMap<Entity, Fragment>()

/**
 * The projection of an entity as JSON in parts (D16). For `today` it is rendered once, until a commit changes
 * the entity or the name of its owner; for another day it is rendered each time. Yields when the entity has
 * very many rows.
 */
const fragmentPartsInSlices = function* (
  entity: Entity,
  day: Day,
  today: Day,
  ownerOf: OwnerName,
  tagsOf: TagsOf = tagsOfOneList(),
): Sliced<ReadonlyArray<Buffer>> {
  const known = fragments.get(entity)
  // An entity without an owner does not depend on the name of any other entity.
  if (known?.day === day && (known.owner === null || known.owner === ownerOf(entity, day)))
    return [known.bytes]
  const owner = ownerOf(entity, day)
  const parts = yield* renderWholePartsInSlices(yield* projectWithInSlices(entity, day, owner, tagsOf))
  if (day !== today || parts.reduce((sum, part) => sum + part.length, 0) > fragmentBytesKeptMax) return parts
  const bytes = inOne(parts)
  fragments.set(entity, { day, owner, bytes })
  return [bytes]
}

const corpora = new WeakMap<Entities, OnDay>()
