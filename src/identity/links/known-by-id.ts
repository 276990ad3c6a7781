import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { RefusalOf } from '#protocol/refusal.js'
import { type IdentityGround, identitiesOf, type Known } from '#src/identity/rights/identities.js'
import { nobodyHas, severalHave } from './player-refusals.js'

/**
 * Whom a binding to a game id would make an account speak for. An id that several blocks have open today, or whose one
 * block has another id open too, means nobody for certain (A 4.4, ADR 0200).
 */
export const knownById = (
  ground: IdentityGround,
  gameId: string,
): Either<RefusalOf<'no_gracz_for_game_id' | 'ambiguous_game_id'>, Known> => {
  const identities = identitiesOf(ground)
  const known = identities.byGameId(gameId)
  if (known !== null) return right(known)
  const holders = identities.holdersOf(gameId)
  const names = holders.map(person => person.name)
  return left(names.length === 0 ? nobodyHas(gameId) : severalHave(gameId, names))
}
