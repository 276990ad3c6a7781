import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { isReservedName } from '#src/domain/people/store/reserved-name.js'
import { type IdentityGround, identitiesOf, type Known } from './identities.js'

/**
 * Why a game id means nobody for certain: no block has it open today, several have, or the one that has it has another
 * one open too. A block with a reserved heading is nobody. Fail closed: who is in doubt is nobody (A 4.4, ADR 1019).
 */
export type Doubt =
  | { readonly _tag: 'Nobody' }
  | { readonly _tag: 'Several'; readonly names: ReadonlyArray<string> }
  | { readonly _tag: 'OneOfTwo'; readonly names: ReadonlyArray<string> }

/** Whom a game id means today, or why nobody; what is said of it is the caller's. */
export const meantById = (ground: IdentityGround, gameId: string): Either<Doubt, Known> => {
  const { byGameId, holdersOf } = identitiesOf(ground)
  const known = byGameId(gameId)
  if (known !== null) return right(known)
  const names = holdersOf(gameId).map(person => person.name)
  if (names.every(isReservedName)) return left({ _tag: 'Nobody' })
  return left({ _tag: names.length > 1 ? 'Several' : 'OneOfTwo', names })
}
