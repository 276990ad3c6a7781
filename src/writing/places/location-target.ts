import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { locationMeant, placesMeant } from '#src/domain/entities/places.js'
import { andMore, firstNames } from '#src/domain/names/name-index.js'
import { nearestBlocks } from '#src/domain/names/nearest.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { targetNamed } from '../entities/target.js'

/**
 * The Lokacja that a write means: by heading, alias or slash path. Refuses a leaf that several places share
 * (A 2.5).
 */
export const locationTarget = (
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
