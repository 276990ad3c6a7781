import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { type Refusal, type RefusalOf, refuse } from '#protocol/refusal.js'
import type { ChangeSet } from '#src/domain/lore/edits/change-set.js'

/** Without the names that a name of a request is like, and without the blocks that bear or use it; counts stay. */
const hideBlocks = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> =>
  all.map(one => {
    if (typeof one !== 'object' || one === null) return one
    const hidden = 'suggestions' in one ? { ...one, suggestions: [] } : one
    return 'blocks' in hidden ? { ...hidden, blocks: [] } : hidden
  })

/**
 * The words for a name that another block bears: neither its heading nor its type. A session is no block, and a refusal
 * without a type tells of none.
 */
const hideBearer = (refusal: RefusalOf<'NameTaken'>): RefusalOf<'NameTaken'> => {
  const { name, type } = refusal
  if (type === 'Sesja' || type === '') return refusal
  return refuse('NameTaken', `Something in the lore has the name „${name}”. Choose another.`, {
    name,
    type: '',
  })
}

const hideCandidates = (refusal: RefusalOf<'AmbiguousName'>): RefusalOf<'AmbiguousName'> => ({
  ...refusal,
  detail: 'Several blocks answer to the name: add ?type= or name one heading. Readers see candidates.',
  types: [],
  candidates: [],
})

/** A refusal without the names and types of blocks beside what was asked for. */
export const hideRefusedNames = (refusal: Refusal): Refusal => {
  if (refusal._tag === 'NameUnresolved') return { ...refusal, names: hideBlocks(refusal.names) }
  if (refusal._tag === 'AmbiguousName') return hideCandidates(refusal)
  if (refusal._tag === 'NameTaken') return hideBearer(refusal)
  return 'nearest' in refusal ? { ...refusal, nearest: [] } : refusal
}

/** In a plan `candidates` of a value are blocks; elsewhere they are ids that `GET /schema` lists. */
const hidePlanRefusal = (refusal: Refusal): Refusal => {
  if (refusal._tag !== 'ValueRefused' || refusal.candidates.length === 0) return hideRefusedNames(refusal)
  const { field } = refusal
  const detail = `The value of ${field} means several blocks, or is taken. Readers see them in candidates.`
  return refuse('ValueRefused', detail, { field, candidates: [] })
}

const hideUnresolved = <A>(body: A): A =>
  typeof body === 'object' && body !== null && 'unresolved' in body && Array.isArray(body.unresolved)
    ? { ...body, unresolved: hideBlocks(body.unresolved) }
    : body

/** A plan as it answers to a caller who may read no block: without the names of blocks that the request is near. */
export const hidePlanNames = (
  planned: Either<Refusal, ChangeSet<unknown>>,
): Either<Refusal, ChangeSet<unknown>> => {
  if (planned._tag === 'Left') return left(hidePlanRefusal(planned.left))
  const { answer, preview } = planned.right
  return right({ ...planned.right, answer: hideUnresolved(answer), preview: hideUnresolved(preview) })
}
