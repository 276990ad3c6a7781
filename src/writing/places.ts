import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { TagValues } from '#protocol/lore/entity-writes.js'
import {
  type Linked,
  type MapCreate,
  mapMetadata,
  type placesWriteRoutes,
  type reindexRoutes,
  type TraversalLink,
} from '#protocol/lore/places.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { locationMeant, placesMeant } from '#src/domain/entities/places.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import { andMore, firstNames } from '#src/domain/names/name-index.js'
import { nearestBlocks } from '#src/domain/names/nearest.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Planners } from './command.js'
import { targetNamed } from './entities/entity-change.js'
import { createEntityOfType, patchEntityOfType } from './entities/entity-writes.js'
import { tagName } from './entities/tags.js'

/** Planners of the writes of places and maps (A 4.8). */
export const placePlanners: Planners<typeof placesWriteRoutes & typeof reindexRoutes> = {
  'maps.traversal.link': (snapshot, { body }) => linkPlaces(snapshot, body),
  'locations.create': (snapshot, { body: { name, tags = {} } }) =>
    createEntityOfType(snapshot, { name, type: 'Lokacja', tags }),
  'locations.update': (snapshot, { path, body }) => {
    const place = locationTarget(snapshot, path.name)
    return isLeft(place) ? place : patchEntityOfType(snapshot, place.right, body)
  },
  'maps.create': (snapshot, { body }) =>
    createEntityOfType(snapshot, { name: body.name, type: 'Mapa', tags: mapTags(body) }),
  'maps.update': (snapshot, { path, body }) => {
    const map = mapTarget(snapshot, path.name)
    return isLeft(map) ? map : patchEntityOfType(snapshot, map.right, body)
  },
}

const mapTarget = ({ entities }: Snapshot, name: string) => {
  const named = targetNamed(entities, name, 'Mapa')
  if (!isLeft(named)) return named
  return left(
    named.left._tag === 'AmbiguousName'
      ? named.left
      : refuse('MapNotFound', `No Mapa has the name "${name}". GET /entities?type=Mapa lists them.`, {
          nearest: named.left.nearest,
        }),
  )
}

/**
 * Adds or ends a way from one place to another: a `@drzwi` row of the first, from today on (A 4.8,
 * docs/spec/places.md#ways).
 */
const linkPlaces = (
  snapshot: Snapshot,
  { source, target, remove = false }: TraversalLink,
): Either<LinkRefusal, ChangeSet<Linked>> => {
  const [from, to] = [locationTarget(snapshot, source), locationTarget(snapshot, target)]
  if (isLeft(from)) return from
  // The target is a value, so a leaf of several places is refused as in any row (A 2.5).
  if (isLeft(to))
    return to.left._tag === 'AmbiguousName'
      ? left(refuse('ValueRefused', to.left.detail, { field: 'target', candidates: to.left.candidates }))
      : to
  if (from.right === to.right)
    return left(
      refuse('ValueRefused', 'A place cannot lead to itself. Name another place.', {
        field: 'target',
        candidates: [],
      }),
    )
  const { name } = to.right
  const patched = patchEntityOfType(snapshot, from.right, { tag: '@drzwi', value: name, remove })
  if (isLeft(patched)) {
    const refusal = patched.left
    return left(
      refusal._tag === 'ValueRefused'
        ? refusal
        : refuse('ValueRefused', refusal.detail, { field: 'target', candidates: [] }),
    )
  }
  const said = { to: name, changed: patched.right.answer.changed }
  return right({
    ...patched.right,
    subject: `places: way from ${from.right.name} to ${name}`,
    answer: { linked: from.right.name, ...said },
    preview: { wouldLink: from.right.name, ...said },
  })
}

/**
 * The Lokacja that a write means: by heading, alias or slash path. Refuses a leaf that several places share
 * (A 2.5).
 */
const locationTarget = (
  { entities, day }: Snapshot,
  name: string,
): Either<RefusalOf<'LocationNotFound' | 'AmbiguousName'>, Entity> => {
  const named = targetNamed(entities, name, 'Lokacja')
  if (!isLeft(named)) return named
  if (named.left._tag === 'AmbiguousName') return left(named.left)
  const place = locationMeant(entities, name, day)
  if (place !== null) return right(place)
  const meant = firstNames([...new Set(placesMeant(entities, name).map(one => one.name))], one => one)
  return meant.names.length === 0
    ? left(
        refuse('LocationNotFound', `No Lokacja has the name "${name}". GET /locations lists them.`, {
          nearest: nearestBlocks(entities, name, 'Lokacja'),
        }),
      )
    : left(
        refuse(
          'AmbiguousName',
          `Several places end in "${name}". Send one of \`candidates\`.${andMore(meant)}`,
          { types: ['Lokacja'], candidates: meant.names },
        ),
      )
}

/**
 * The tags of a new Mapa: its metadata, the `tags` of the body, and a default status (A 4.8). A tag given in
 * both becomes a list, so that the rule for its values refuses it and no value is lost.
 */
const mapTags = (body: MapCreate): TagValues => {
  const said = new Map<string, ReadonlyArray<string>>()
  const say = (name: string, value: TagValues[string]): void => {
    const tag = tagName(name)
    said.set(tag, [...(said.get(tag) ?? []), ...(typeof value === 'string' ? [value] : value)])
  }
  for (const key of mapMetadata) if (body[key] !== undefined) say(key, String(body[key]))
  for (const [name, value] of Object.entries(body.tags ?? {})) say(name, value)
  if (!said.has('status')) say('status', 'Aktywny')
  return Object.fromEntries(said)
}

type LinkRefusal = RefusalOf<'LocationNotFound' | 'AmbiguousName' | 'ValueRefused'>
