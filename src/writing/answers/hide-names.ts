import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { type Refusal, type RefusalOf, refuse } from '#protocol/refusal.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'

/** A refusal without the names and types of blocks other than the requested one. */
export const hideRefusedNames = (refusal: Refusal): Refusal => {
  if (refusal._tag === 'NameUnresolved') return { ...refusal, names: hideBlocks(refusal.names) }
  if (refusal._tag === 'AmbiguousName') return hideCandidates(refusal)
  if (refusal._tag === 'NameTaken') return hideBearer(refusal)
  return 'nearest' in refusal ? { ...refusal, nearest: [] } : refusal
}

/**
 * The result of a plan for a caller who may read no block: without the names of blocks similar to those in
 * the request.
 */
export const hidePlanNames = (
  planned: Either<Refusal, ChangeSet<unknown>>,
): Either<Refusal, ChangeSet<unknown>> => {
  if (planned._tag === 'Left') return left(hidePlanRefusal(planned.left))
  const { answer, preview } = planned.right
  return right({ ...planned.right, answer: hideUnresolved(answer), preview: hideUnresolved(preview) })
}

/** Removes suggested names, and the blocks that bear or use a name; counts stay. */
const hideBlocks = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> =>
  all.map(one => {
    if (typeof one !== 'object' || one === null) return one
    const hidden = 'suggestions' in one ? { ...one, suggestions: [] } : one
    return 'blocks' in hidden ? { ...hidden, blocks: [] } : hidden
  })

/**
 * The refusal for a name that another block bears, without that block's heading and type. A refusal about a
 * session, or without a type, names no block and stays as it is.
 */
const hideBearer = (refusal: RefusalOf<'NameTaken'>): RefusalOf<'NameTaken'> => {
  const { name, type } = refusal
  if (type === 'Sesja' || type === '') return refusal
  return refuse('NameTaken', `Something in the lore has the name "${name}". Choose another name.`, {
    name,
    type: '',
  })
}

const hideCandidates = (refusal: RefusalOf<'AmbiguousName'>): RefusalOf<'AmbiguousName'> => ({
  ...refusal,
  detail:
    'Several blocks have the name. Add ?type= or send one heading. Callers who may read see `candidates`.',
  types: [],
  candidates: [],
})

/**
 * In the refusal of a plan, `candidates` of a value are blocks; elsewhere they are ids that `GET /schema`
 * lists.
 */
const hidePlanRefusal = (refusal: Refusal): Refusal => {
  if (refusal._tag !== 'ValueRefused' || refusal.candidates.length === 0) return hideRefusedNames(refusal)
  const { field } = refusal
  const detail = `The value of ${field} means several blocks, or is taken. Callers who may read see \`candidates\`.`
  return refuse('ValueRefused', detail, { field, candidates: [] })
}

const hideUnresolved = <A>(body: A): A =>
  typeof body === 'object' && body !== null && 'unresolved' in body && Array.isArray(body.unresolved)
    ? { ...body, unresolved: hideBlocks(body.unresolved) }
    : body
