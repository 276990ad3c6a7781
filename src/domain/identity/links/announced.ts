import { type IdentityGround, identitiesOf, type Known } from '../rights/identities.js'
import type { Announced } from './announcement.js'
import type { AccountBinding } from './bound.js'

/** The facts of a binding that its announcement states. */
export const announceBinding = (ground: IdentityGround, bound: AccountBinding, known: Known): Announced => {
  const { binding, alreadyLinked, displaces, replaces } = bound
  const before = replaces === null ? null : identitiesOf(ground).byGameId(replaces)
  return {
    chatId: binding.chatId,
    gameId: binding.gameId,
    gracz: known.identity.name,
    alreadyLinked,
    displaces,
    replaces: replaces === null ? null : { gameId: replaces, gracz: before?.identity.name ?? null },
  }
}
