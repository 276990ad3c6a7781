import type { Snapshot } from '#src/corpus/snapshot.js'
import type { Caller } from '#src/identity/caller.js'
import { isToken, machine } from '#src/identity/tokens/machine-token.js'

/**
 * The caller behind a token, with the rights that the snapshot gives now; null for a token that no store knows. The
 * snapshot is null before the first: then nobody but the machine and named tokens is known.
 */
export type Resolve = (
  token: string,
  snapshot: Snapshot | null,
  nowMs: number,
) => Caller | null | Promise<Caller | null>

/** Knows callers by their tokens. */
export interface Credentials {
  readonly resolve: Resolve
}

/** Kinds of tokens that are told by how they begin (A 5.1). */
export type Prefix = 'sess_' | 'fsess_' | 'apik_' | 'named_'

/** Credentials of a host: each kind by its prefix, the machine token by having none. */
export const credentialsOf = (
  machineHash: Buffer,
  kinds: Readonly<Partial<Record<Prefix, Resolve>>>,
): Credentials => {
  const byPrefix = Object.entries(kinds)
  return {
    resolve: (token, snapshot, nowMs) => {
      const kind = byPrefix.find(([prefix]) => token.startsWith(prefix))
      if (kind !== undefined) return kind[1](token, snapshot, nowMs)
      return isToken(token, machineHash) ? machine : null
    },
  }
}

const bearer = /^bearer +([\x21-\x7e]+)$/i

/** The token of an `Authorization` header; the scheme is told without case (RFC 9110). */
export const tokenOf = (authorization: string | null): string | null =>
  authorization === null ? null : (bearer.exec(authorization)?.[1] ?? null)
