import type { Caller } from '#src/domain/callers/caller.js'
import { machine, tokenCheck } from '#src/domain/identity/tokens.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/**
 * Finds the caller of a token, with its rights by the snapshot; null for a token that no store knows. Before
 * the first snapshot (null) only the machine and named tokens are known.
 */
export type Resolve = (
  token: string,
  snapshot: Snapshot | null,
  nowMs: number,
) => Caller | null | Promise<Caller | null>

/**
 * `Resolve` for a request that was admitted before: synchronous, and without a `TellShown` call. It does not
 * check that the token was resolved before. Null for a token that no store knows, and also where the resolver
 * returns a promise because a signature must be verified again; the next request with the token verifies it
 * (ADR 1018).
 */
export type ResolveAgain = (token: string, snapshot: Snapshot | null, nowMs: number) => Caller | null

/** Finds callers by their tokens. */
export interface Credentials {
  readonly resolve: Resolve
  readonly resolveAgain: ResolveAgain
}

/**
 * Called once for each token that `resolve` passes to the resolver of its prefix, with the caller, or null
 * where the resolver does not know the token. Not called for the machine token, for a token without such a
 * prefix, or when the resolver throws or rejects.
 */
export type TellShown = (prefix: Prefix, caller: Caller | null) => void

/** The prefixes of tokens, one for each kind (A 5.1). The machine token has none. */
export type Prefix = 'sess_' | 'fsess_' | 'apik_' | 'named_'

const prefixes: ReadonlyArray<Prefix> = ['sess_', 'fsess_', 'apik_', 'named_']

/**
 * Returns null when resolving the token would be asynchronous, so the request is refused. A rejected promise
 * is handled here because no caller awaits it.
 */
const callerAtOnce = (caller: ReturnType<Resolve>): Caller | null => {
  if (!(caller instanceof Promise)) return caller
  caller.catch(() => null)
  return null
}

/**
 * The credentials of a host. A token whose prefix has a resolver in `kinds` goes to that resolver alone.
 * Every other token, also one whose prefix has no resolver, is compared with `machineHash`: its caller is
 * `machine` or null.
 */
export const credentialsOf = (
  machineHash: Buffer,
  kinds: Readonly<Partial<Record<Prefix, Resolve>>>,
  tellShown: TellShown = () => undefined,
): Credentials => {
  const isMachine = tokenCheck(machineHash)
  const prefixOf = (token: string): Prefix | null =>
    prefixes.find(prefix => kinds[prefix] !== undefined && token.startsWith(prefix)) ?? null
  const find =
    (prefix: Prefix | null): Resolve =>
    (token, snapshot, nowMs) => {
      const kind = prefix === null ? undefined : kinds[prefix]
      if (kind !== undefined) return kind(token, snapshot, nowMs)
      return isMachine(token) ? machine : null
    }
  return {
    resolve: (token, snapshot, nowMs) => {
      const prefix = prefixOf(token)
      const caller = find(prefix)(token, snapshot, nowMs)
      if (prefix === null) return caller
      const told = (known: Caller | null): Caller | null => {
        tellShown(prefix, known)
        return known
      }
      return caller instanceof Promise ? caller.then(told) : told(caller)
    },
    resolveAgain: (token, snapshot, nowMs) => callerAtOnce(find(prefixOf(token))(token, snapshot, nowMs)),
  }
}

const bearer = /^bearer +([\x21-\x7e]+)$/i

/**
 * The token of an `Authorization: Bearer` header; the scheme is case-insensitive (RFC 9110). Null without a
 * header, for another scheme, and for a token with spaces or with characters beyond printable ASCII.
 */
export const bearerTokenOf = (authorization: string | null): string | null =>
  authorization === null ? null : (bearer.exec(authorization)?.[1] ?? null)
