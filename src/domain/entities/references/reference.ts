import { type Day, type EntityType, nameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entities, Entity } from '../entity.js'
import { placeNamed, placesMeant } from '../places/place.js'

/** The result of resolving a value that names a block; `candidates` are the blocks that it may mean. */
export type ReferenceResult =
  | { readonly _tag: 'Known' }
  | { readonly _tag: 'Unknown' }
  | { readonly _tag: 'Ambiguous'; readonly candidates: ReadonlyArray<Entity> }

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
