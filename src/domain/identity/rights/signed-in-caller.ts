import type { Caller } from '#src/domain/callers/caller.js'
import type { IdentityGround } from './identities.js'
import { knownCaller } from './known-caller.js'

/**
 * The caller behind a token of a sign-in, with the rights of now. Null for an id that nobody has alone today; and what
 * a chat account signed in for ends with the link by which it did (docs/spec/sign-in.md#a-2-2).
 */
export const signedInCaller = (
  kind: 'session' | 'fleet',
  { gameId, chatId }: { readonly gameId: string; readonly chatId: string | null },
  ground: IdentityGround,
): Caller | null => {
  const isLinked = chatId === null || ground.bindings.byChat.get(chatId)?.gameId === gameId
  return isLinked ? knownCaller(ground, kind, gameId) : null
}
