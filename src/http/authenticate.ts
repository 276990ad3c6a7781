import type { Caller } from '#src/identity/caller.js'

/** Knows callers by their tokens; null for one that no store knows. */
export interface Credentials {
  readonly resolve: (token: string) => Caller | null
}

const bearer = /^bearer +([\x21-\x7e]+)$/i

/** The token of an `Authorization` header; the scheme is told without case (RFC 9110). */
export const tokenOf = (authorization: string | null): string | null =>
  authorization === null ? null : (bearer.exec(authorization)?.[1] ?? null)
