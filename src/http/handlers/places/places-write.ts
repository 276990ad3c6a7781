import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { placesWriteRoutes } from '#protocol/places/write-routes.js'
import { refuse } from '#protocol/refusal.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { createdOfType, patchedOfType } from '#src/writing/entities/of-type.js'
import { targetNamed } from '#src/writing/entities/target.js'
import { locationTarget } from '#src/writing/places/location-target.js'
import { mapTags } from '#src/writing/places/new-map.js'

const mapTarget = ({ entities }: Snapshot, name: string) => {
  const named = targetNamed(entities, name, 'Mapa')
  if (!isLeft(named)) return named
  return left(
    named.left._tag === 'AmbiguousName'
      ? named.left
      : refuse('MapNotFound', `No Mapa answers to „${name}”. Look with GET /entities?type=Mapa.`, {
          nearest: named.left.nearest,
        }),
  )
}

/** Writes of places and maps (A 4.8): each row only plans. */
export const placesWriteHandlers: Handlers<typeof placesWriteRoutes> = {
  'locations.create': ({ body: { name, tags = {} } }) =>
    right({ plan: snapshot => createdOfType(snapshot, { name, type: 'Lokacja', tags }) }),
  'locations.update': ({ path, body }) =>
    right({
      plan: snapshot => {
        const place = locationTarget(snapshot, path.name)
        return isLeft(place) ? place : patchedOfType(snapshot, place.right, body)
      },
    }),
  'maps.create': ({ body }) =>
    right({
      plan: snapshot => createdOfType(snapshot, { name: body.name, type: 'Mapa', tags: mapTags(body) }),
    }),
  'maps.update': ({ path, body }) =>
    right({
      plan: snapshot => {
        const map = mapTarget(snapshot, path.name)
        return isLeft(map) ? map : patchedOfType(snapshot, map.right, body)
      },
    }),
}
