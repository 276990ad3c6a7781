import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { isReservedName } from '#src/domain/people/store/reserved-name.js'
import { type IdentityGround, identitiesOf, type Known } from './identities.js'

/**
 * Why a game id identifies nobody: no block has it open today, several have, or its block has another id open
 * too. A block with a reserved heading counts as none. In doubt the id identifies nobody (A 4.4, ADR 1019).
 */
export type Doubt =
  | { readonly _tag: 'Nobody' }
  | { readonly _tag: 'Several'; readonly names: ReadonlyArray<string> }
  | { readonly _tag: 'OneOfTwo'; readonly names: ReadonlyArray<string> }

/** The person that a game id means today, or the reason why none; the caller words the refusal. */
export const resolveGameId = (ground: IdentityGround, gameId: string): Either<Doubt, Known> => {
  const { byGameId, holdersOf } = identitiesOf(ground)
  const known = byGameId(gameId)
  if (known !== null) return right(known)
  const names = holdersOf(gameId).map(person => person.name)
  if (names.every(isReservedName)) return left({ _tag: 'Nobody' })
  return left({ _tag: names.length > 1 ? 'Several' : 'OneOfTwo', names })
}
