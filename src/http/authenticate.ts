import type { Caller } from '#src/identity/caller.js'
import { isToken, machine } from '#src/identity/machine-token.js'

/** Knows callers by their tokens; null for one that no store knows. */
export interface Credentials {
  readonly resolve: (token: string) => Caller | null
}

const bearer = /^bearer +([\x21-\x7e]+)$/i

/** The token of an `Authorization` header; the scheme is told without case (RFC 9110). */
export const tokenOf = (authorization: string | null): string | null =>
  authorization === null ? null : (bearer.exec(authorization)?.[1] ?? null)

/** Credentials of a host that knows the machine token alone, by its hash. */
export const machineCredentials = (hash: Buffer): Credentials => ({
  resolve: token => (isToken(token, hash) ? machine : null),
})
