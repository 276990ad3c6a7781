import { type Either, mapLeft } from 'fp-ts/lib/Either.js'
import type { RefusalOf } from '#protocol/refusal.js'
import type { IdentityGround, Known } from '../rights/identities.js'
import { meantById } from '../rights/meant-by-id.js'
import { inDoubt } from './player-refusals.js'

/** Whom a binding to a game id would make an account speak for; a refusal is for the player who asks. */
export const knownById = (
  ground: IdentityGround,
  gameId: string,
): Either<RefusalOf<'no_gracz_for_game_id' | 'ambiguous_game_id'>, Known> =>
  mapLeft(inDoubt(gameId))(meantById(ground, gameId))
