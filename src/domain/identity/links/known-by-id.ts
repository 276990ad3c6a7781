import { type Either, mapLeft } from 'fp-ts/lib/Either.js'
import type { RefusalOf } from '#protocol/refusal.js'
import type { IdentityGround, Known } from '../rights/identities.js'
import { resolveGameId } from '../rights/meant-by-id.js'
import { inDoubt } from './player-refusals.js'

/** The person that an account bound to this game id would speak for. The refusal is worded for the player. */
export const findByGameId = (
  ground: IdentityGround,
  gameId: string,
): Either<RefusalOf<'no_gracz_for_game_id' | 'ambiguous_game_id'>, Known> =>
  mapLeft(inDoubt(gameId))(resolveGameId(ground, gameId))
