import { perValue } from '#src/domain/caching/per-value.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { callerOf, type IdentityGround, identitiesOf } from './identities.js'

type Kind = Parameters<typeof callerOf>[0]

const callersOf = perValue((ground: IdentityGround) => {
  const identities = identitiesOf(ground)
  const made = new Map<string, Caller>()
  return (kind: Kind, gameId: string): Caller | null => {
    const key = `${kind} ${gameId}`
    const before = made.get(key)
    if (before !== undefined) return before
    const known = identities.byGameId(gameId)
    if (known === null) return null
    const caller = callerOf(kind, known)
    made.set(key, caller)
    return caller
  }
})

/**
 * The caller that speaks for a game id with the rights of a snapshot, computed once per snapshot; null when
 * the id identifies nobody today.
 */
export const knownCaller = (ground: IdentityGround, kind: Kind, gameId: string): Caller | null =>
  callersOf(ground)(kind, gameId)
