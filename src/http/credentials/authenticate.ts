import { type Either, isLeft, left, map, right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms.js'
import type {
  NamedTokenList,
  NamedTokenMinted,
  NamedTokenRevoked,
  NamedTokenRow,
  NamedTokenWish,
} from '#protocol/identity/sign-in.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { callerOfTown, topologyPath } from '#src/domain/fleet/topology.js'
import { callerOfSignIn } from '#src/domain/identity/callers.js'
import {
  type FleetKey,
  type FleetKeys,
  type FleetToken,
  fleetPrefix,
  isInTime,
  publicKeyOf,
  readFleetToken,
} from '#src/domain/identity/credentials/fleet-keys.js'
import { type IdToken, type IdTokenRules, readIdToken } from '#src/domain/identity/credentials/id-token.js'
import { freezeSet } from '#src/domain/identity/credentials/private-keys.js'
import {
  machine,
  rightOf,
  type TokenRecord,
  tokenCheck,
  tokenHash,
} from '#src/domain/identity/credentials/tokens.js'
import type {
  ChatSignIn,
  KeysAway,
  NamedToken,
  NamedTokens,
  NamedTokenWanted,
  TokenAsker,
  VerifyJws,
} from '#src/ports/identity.js'
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

/**
 * The token of an `Authorization: Bearer` header; the scheme is case-insensitive (RFC 9110). Null without a
 * header, for another scheme, and for a token with spaces or with characters beyond printable ASCII.
 */
export const bearerTokenOf = (authorization: string | null): string | null =>
  authorization === null ? null : (bearer.exec(authorization)?.[1] ?? null)

/**
 * Resolves `fsess_` tokens, of persons (A 4.3) and of towns (D49). A verified signature is cached by the
 * SHA-256 of its token until others displace it. When the published keys change, the token is read against
 * them again, and verified again where its `kid` names another key. Expiry, and the rights of the person or
 * town, are checked at every request.
 */
export const fleetResolver = (verify: VerifyJws): Resolve => {
  const { find, remember } = openVerifiedTokens()

  const verifySignature = async (compact: string, token: FleetToken): Promise<boolean> => {
    const key = publicKeyOf(token.key)
    return key !== null && (await verify(compact, { alg: 'EdDSA', key }))
  }

  return (token, snapshot, nowMs) => {
    if (snapshot === null) return null
    const keys = snapshot.fleetKeys
    const before = find(token)
    if (before !== null && before.keys === keys) return callerOf(before.token, snapshot, nowMs)
    const compact = token.slice(fleetPrefix.length)
    const read = readFleetToken(compact, keys)
    if (isLeft(read) || !isInTime(read.right, nowMs)) return null
    const right = { token: read.right, keys }
    if (before !== null && isSameKey(before.token.key, right.token.key)) {
      remember(token, right)
      return callerOf(right.token, snapshot, nowMs)
    }
    return verifySignature(compact, right.token).then(isGood => {
      if (!isGood) return null
      remember(token, right)
      return callerOf(right.token, snapshot, nowMs)
    })
  }
}

/** Verifies an id token. Checks that need no key come first, so that an invalid token causes no fetch. */
export const verifyIdToken = async (
  text: string,
  rules: IdTokenRules,
  { keysBy, verified, verify }: ChatSignIn,
  nowMs: number,
): Promise<Either<RefusalOf<'Unauthorized' | 'SigningKeyAway'>, IdToken>> => {
  const token = readIdToken(text, rules, nowMs)
  if (isLeft(token)) return left(refuseIdToken(token.left))
  const keys = await keysBy(token.right.kid)
  if (isLeft(keys)) return left(refuseKeysAway(keys.left))
  const [key, ...others] = keys.right
  if (key === undefined) return left(refuseIdToken('the issuer has no such key'))
  if (others.length > 0)
    return left(refuseIdToken('its `kid` does not say which key of the issuer signed it'))
  if (!(await verify(text, key))) return left(refuseIdToken('the issuer did not sign it'))
  verified(token.right.kid)
  return right(token.right)
}

export const instantOrNull = (ms: number | null) => (ms === null ? null : instantOf(ms))

/** The named token that a request asks for, or why its minter may not have it. */
export const planNamedToken = (
  { name, capabilities, expiresIn }: NamedTokenWish,
  minter: Minter,
  nowMs: number,
): Either<RefusalOf<'ValueRefused' | 'Forbidden'>, NamedTokenWanted> =>
  map(
    (frozen: ReadonlyArray<string>): NamedTokenWanted => ({
      name,
      capabilities: frozen,
      expiresMs: expiresIn === undefined ? null : nowMs + expiresIn * 1000,
      by: minter.name,
      ...(minter.token === undefined ? {} : { byToken: minter.token }),
    }),
  )(freezeSet(minter.holds, capabilities))

/** Mints a named token. Only this answer ever contains the token. */
export const mintNamedToken = (
  tokens: NamedTokens,
  wanted: NamedTokenWanted,
  nowMs: number,
): Either<RefusalOf<'DiskRefused'>, NamedTokenMinted> =>
  map(({ token, kept }: { readonly token: string; readonly kept: NamedToken }) => ({
    token,
    ...rowOf(kept),
  }))(tokens.mint(wanted, nowMs))

export const listNamedTokens = (tokens: NamedTokens, nowMs: number): NamedTokenList => {
  const items = tokens.list(nowMs).map(rowOf)
  return { count: items.length, items }
}

/** Revokes a token by its public id; a dry run only checks that it exists. */
export const revokeNamedToken = (
  tokens: NamedTokens,
  id: string,
  by: TokenAsker,
  nowMs: number,
  dryRun: boolean,
): Either<RefusalOf<'TokenNotFound' | 'DiskRefused'>, NamedTokenRevoked> => {
  const found = tokens.list(nowMs).find(token => token.id === id)
  if (found === undefined)
    return left(
      refuse('TokenNotFound', 'This host has no named token with that id. GET /tokens lists the ids.'),
    )
  const { name } = found
  if (dryRun) return right({ id, name, revoked: false })
  const gone = tokens.revoke(id, by, nowMs)
  return isLeft(gone) ? gone : right({ id, name, revoked: true })
}

/**
 * `Resolve` for a request that was admitted before: synchronous, and without a `TellShown` call. It does not
 * check that the token was resolved before. Null for a token that no store knows, and also where the resolver
 * returns a promise because a signature must be verified again; the next request with the token verifies it
 * (ADR 1018).
 */
type ResolveAgain = (token: string, snapshot: Snapshot | null, nowMs: number) => Caller | null

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

const bearer = /^bearer +([\x21-\x7e]+)$/i

/** A token whose signature is verified, with the keys that it was last read against. */
interface Verified {
  readonly token: FleetToken
  readonly keys: FleetKeys
}

interface VerifiedTokens {
  readonly find: (token: string) => Verified | null
  readonly remember: (token: string, right: Verified) => void
}

/** About 3 MB. The oldest is dropped first: all have the same lifetime. */
const verifiedMax = 10_000

const openVerifiedTokens = (): VerifiedTokens => {
  const kept = new Map<string, TokenRecord<Verified>>()
  return {
    find: rightOf(hash => kept.get(hash) ?? null),
    remember: (token, right) => {
      const hash = tokenHash(token)
      const hex = hash.toString('hex')
      const isFull = kept.size >= verifiedMax && !kept.has(hex)
      const oldest = isFull ? kept.keys().next().value : undefined
      if (oldest !== undefined) kept.delete(oldest)
      kept.set(hex, { hash, right })
    },
  }
}

const callerOf = (token: FleetToken, snapshot: Snapshot, nowMs: number): Caller | null => {
  if (!isInTime(token, nowMs)) return null
  const { holder, key } = token
  return holder._tag === 'Person'
    ? callerOfSignIn('fleet', holder, snapshot)
    : callerOfTown(key, snapshot.files.get(topologyPath) ?? null)
}

/** Whether both keys verify the same signatures; their algorithm is the same. */
const isSameKey = (one: FleetKey, other: FleetKey): boolean => one.jwk.x === other.jwk.x

const refuseIdToken = (why: string): RefusalOf<'Unauthorized'> =>
  refuse('Unauthorized', `The id token is refused because ${why}. Sign in again.`)

const refuseKeysAway = ({ why }: KeysAway): RefusalOf<'SigningKeyAway'> =>
  refuse(
    'SigningKeyAway',
    why === 'unset'
      ? 'This host is not told where the keys of the issuer are.'
      : 'The keys of the issuer cannot be fetched now. Try again in a minute.',
  )

/** The asker of a named token; `holds` bounds the capabilities that it may freeze. */
interface Minter extends TokenAsker {
  readonly holds: ReadonlySet<string>
}

const rowOf = ({ id, name, capabilities, createdMs, expiresMs, by }: NamedToken): NamedTokenRow => ({
  id,
  name,
  capabilities,
  created: instantOf(createdMs),
  expires: instantOrNull(expiresMs),
  by,
})
