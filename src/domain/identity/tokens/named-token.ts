import type { TokenRef } from '#protocol/identity/named-token.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { viewOf } from '../rights/grade.js'
import { type FindTokenRecord, rightOf } from './token-record.js'

/** What a named token stands for. */
export interface NamedRight extends TokenRef {
  /** The set frozen when it was minted: no grant and no revocation changes it (A 5.1, S30). */
  readonly capabilities: ReadonlyArray<string>
  /** Null: until it is revoked. */
  readonly expiresMs: number | null
}

/** `named_`, the public id by which it is listed and revoked, and 256 random bits. */
export const namedToken = (id: string, secret: Buffer): string =>
  `named_${id}.${secret.toString('base64url')}`

const callerOf = perValue(({ id, name, capabilities }: NamedRight): Caller => {
  const holds = new Set(capabilities)
  const token = { id, name }
  return { kind: 'named', gracz: null, gameId: null, token, holds, grade: 'full', view: viewOf(holds) }
})

export const isExpired = ({ expiresMs }: NamedRight, nowMs: number): boolean =>
  expiresMs !== null && nowMs >= expiresMs

/** The caller behind a named token; it needs no snapshot, for its rights were frozen. */
export const namedCaller = (find: FindTokenRecord<NamedRight>) => {
  const named = rightOf(find)
  return (token: string, _snapshot: object | null, nowMs: number): Caller | null => {
    const right = named(token)
    return right === null || isExpired(right, nowMs) ? null : callerOf(right)
  }
}
