import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { Linked, TraversalLink } from '#protocol/places.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { patchEntityOfType } from '../entities/of-type.js'
import { locationTarget } from './location-target.js'

type LinkRefusal = RefusalOf<'LocationNotFound' | 'AmbiguousName' | 'ValueRefused'>

/**
 * Adds or ends a way from one place to another: a `@drzwi` row of the first, from today on (A 4.8,
 * docs/spec/places.md#ways).
 */
export const linkPlaces = (
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
