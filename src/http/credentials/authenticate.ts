import type { Caller } from '#src/domain/callers/caller.js'
import { machine, tokenCheck } from '#src/domain/identity/tokens/machine-token.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/**
 * The caller behind a token, with the rights that the snapshot gives now; null for a token that no store knows. The
 * snapshot is null before the first: then nobody but the machine and named tokens is known.
 */
export type Resolve = (
  token: string,
  snapshot: Snapshot | null,
  nowMs: number,
) => Caller | null | Promise<Caller | null>

/**
 * The same for a token that was resolved before: answers at once and tells `TellShown` nothing. Null where a signature
 * would have to be verified again; the next request with the token verifies it (ADR 1018).
 */
export type ResolveAgain = (token: string, snapshot: Snapshot | null, nowMs: number) => Caller | null

/** Knows callers by their tokens. */
export interface Credentials {
  readonly resolve: Resolve
  readonly resolveAgain: ResolveAgain
}

/** Told of each token that was shown: null where no store knows it. */
export type TellShown = (prefix: Prefix, caller: Caller | null) => void

/** Kinds of tokens that are told by how they begin (A 5.1). */
export type Prefix = 'sess_' | 'fsess_' | 'apik_' | 'named_'

const prefixes: ReadonlyArray<Prefix> = ['sess_', 'fsess_', 'apik_', 'named_']

/**
 * Returns null when resolving the token would be asynchronous, so the request is refused. A rejected promise is handled
 * here because no caller awaits it.
 */
const callerAtOnce = (caller: ReturnType<Resolve>): Caller | null => {
  if (!(caller instanceof Promise)) return caller
  caller.catch(() => null)
  return null
}

/** Credentials of a host: each kind by its prefix, the machine token by having none. */
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

/** The token of an `Authorization` header; the scheme is told without case (RFC 9110). */
export const tokenOf = (authorization: string | null): string | null =>
  authorization === null ? null : (bearer.exec(authorization)?.[1] ?? null)
