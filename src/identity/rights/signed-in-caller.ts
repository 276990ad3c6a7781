import type { Caller } from '#src/identity/caller.js'
import { callerOf, type IdentityGround, identitiesOf } from './identities.js'

/**
 * The caller behind a token of a sign-in, with the rights of now; null for an id that nobody has alone today, and for
 * a chat account that does not speak for it any more (A 4.3).
 */
export const signedInCaller = (
  kind: 'session' | 'fleet',
  { gameId, chatId }: { readonly gameId: string; readonly chatId: string | null },
  ground: IdentityGround,
): Caller | null => {
  if (chatId !== null && ground.bindings.byChat.get(chatId)?.gameId !== gameId) return null
  const known = identitiesOf(ground).byGameId(gameId)
  return known === null ? null : callerOf(kind, known)
}
