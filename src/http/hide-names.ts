import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { Refusal } from '#protocol/refusal.js'
import type { ChangeSet } from '#src/lore/change-set.js'

/** What is suggested for a name of a request, in the answer to a write and in a refusal. */
const hideSuggestions = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> =>
  all.map(one =>
    typeof one === 'object' && one !== null && 'suggestions' in one ? { ...one, suggestions: [] } : one,
  )

/** A refusal without the names of blocks that are like a name that was asked for. */
export const hideNearest = (refusal: Refusal): Refusal => {
  if (refusal._tag === 'NameUnresolved') return { ...refusal, names: hideSuggestions(refusal.names) }
  return 'nearest' in refusal ? { ...refusal, nearest: [] } : refusal
}

const hideUnresolved = <A>(body: A): A =>
  typeof body === 'object' && body !== null && 'unresolved' in body && Array.isArray(body.unresolved)
    ? { ...body, unresolved: hideSuggestions(body.unresolved) }
    : body

/** A plan as it answers to a caller who may read no block: without names that are like those of the request. */
export const hidePlanNames = (
  planned: Either<Refusal, ChangeSet<unknown>>,
): Either<Refusal, ChangeSet<unknown>> => {
  if (planned._tag === 'Left') return left(hideNearest(planned.left))
  const { answer, preview } = planned.right
  return right({ ...planned.right, answer: hideUnresolved(answer), preview: hideUnresolved(preview) })
}
