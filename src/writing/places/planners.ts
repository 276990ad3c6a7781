import { isLeft, left } from 'fp-ts/lib/Either.js'
import type { placesWriteRoutes, reindexRoutes } from '#protocol/places.js'
import { refuse } from '#protocol/refusal.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { createEntityOfType, patchEntityOfType } from '../entities/of-type.js'
import { targetNamed } from '../entities/target.js'
import type { Planners } from '../planner.js'
import { linkPlaces } from './link.js'
import { locationTarget } from './location-target.js'
import { mapTags } from './new-map.js'

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
