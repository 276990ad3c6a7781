import type { Day, EntityType } from '#protocol/atoms.js'
import type { Window } from '#protocol/list.js'
import { renderWholePartsInSlices } from '#src/domain/json/json-bytes.js'
import { renderListInSlices } from '#src/domain/json/list-bytes.js'
import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'
import type { Entities, Entity } from '../entity.js'
import { type OwnerName, projectWithInSlices } from '../projection.js'
import { type TagsOf, tagsOfOneList } from '../tags-json.js'

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

/** Runs `entityListInSlices` to its end without yielding. */
export const entityList = (...args: Parameters<typeof entityListInSlices>): Buffer =>
  atOnce(entityListInSlices(...args))

const corpora = new WeakMap<Entities, OnDay>()

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

/** Runs `corpusInSlices` to its end without yielding. */
export const corpusBytes = (...args: Parameters<typeof corpusInSlices>): Buffer =>
  atOnce(corpusInSlices(...args))
