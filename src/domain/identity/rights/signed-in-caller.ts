import type { Caller } from '#src/domain/callers/caller.js'
import type { IdentityGround } from './identities.js'
import { knownCaller } from './known-caller.js'

/**
 * The caller behind a token of a sign-in, with the present rights. Null when the id identifies nobody today,
 * or when the chat account that signed in is no longer linked to the id (docs/spec/sign-in.md#a-2-2).
 */
export const callerOfSignIn = (
  kind: 'session' | 'fleet',
  { gameId, chatId }: { readonly gameId: string; readonly chatId: string | null },
  ground: IdentityGround,
): Caller | null => {
  const isLinked = chatId === null || ground.bindings.byChat.get(chatId)?.gameId === gameId
  return isLinked ? knownCaller(ground, kind, gameId) : null
}
