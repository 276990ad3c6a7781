import type { TokenRef } from '#protocol/sign-in.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { viewOf } from '../rights/grade.js'
import { type FindTokenRecord, rightOf } from './token-record.js'

/** The rights of a named token. */
export interface NamedRight extends TokenRef {
  /** The set frozen when the token was minted; later grants and revocations do not change it (A 5.1, S30). */
  readonly capabilities: ReadonlyArray<string>
  /** Null: valid until revoked. */
  readonly expiresMs: number | null
}

/** A named token: `named_`, the public id by which it is listed and revoked, and 256 random bits. */
export const namedToken = (id: string, secret: Buffer): string =>
  `named_${id}.${secret.toString('base64url')}`

const callerOf = perValue(({ id, name, capabilities }: NamedRight): Caller => {
  const holds = new Set(capabilities)
  const token = { id, name }
  return { kind: 'named', gracz: null, gameId: null, token, holds, grade: 'full', view: viewOf(holds) }
})

export const isExpired = ({ expiresMs }: NamedRight, nowMs: number): boolean =>
  expiresMs !== null && nowMs >= expiresMs

/**
 * Returns a function that finds the caller of a named token. It ignores the snapshot, because the rights are
 * frozen.
 */
export const namedCaller = (find: FindTokenRecord<NamedRight>) => {
  const named = rightOf(find)
  return (token: string, _snapshot: object | null, nowMs: number): Caller | null => {
    const right = named(token)
    return right === null || isExpired(right, nowMs) ? null : callerOf(right)
  }
}
