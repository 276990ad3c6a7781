import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { endsMs, type FleetKey, type FleetKeys } from './fleet-keys.js'
import { readJwt } from './jwt.js'

/** Prefix of a fleet token and of a peer token; the compact JWS follows (A 4.3, D49). */
export const fleetPrefix = 'fsess_'

/** The `typ` of the fleet token of a person, which keeps other JWTs from being accepted as one (RFC 8725 3.11). */
export const fleetType = 'fsess+jwt'

/** The `typ` of a peer token: the fleet token of a town, with which a host calls the others (D49). */
export const peerType = 'fpeer+jwt'

/** Lifetime of a token of either type (D41, D49). */
export const lifetimeS = 900

/** How far ahead the clock of the minting host may be (docs/spec/fleet-keys.md#tokens). */
const skewS = 60

const audience = 'kronika:fleet'

/** A safe integer. The JSON parser accepts larger numbers such as `1e21`. */
const Whole = t.refinement(t.number, Number.isSafeInteger, 'Whole')

const Claims = t.type({
  iss: t.string,
  sub: t.string,
  aud: t.literal(audience),
  iat: Whole,
  exp: Whole,
  epoch: Whole,
})

const PersonClaims = t.intersection([Claims, t.partial({ chat: t.string })])

/**
 * Whom a token is of: a person, with the account that signed in (null when the game did), or the host of a
 * town.
 */
export type FleetHolder =
  | { readonly _tag: 'Person'; readonly gameId: string; readonly chatId: string | null }
  | { readonly _tag: 'Town'; readonly town: string }

/** The content of a fleet token or peer token. */
export interface FleetToken {
  readonly holder: FleetHolder
  readonly issuedS: number
  readonly expiresS: number
  /** The key that signed it; the key's `notAfter` limits every token of it. */
  readonly key: FleetKey
}

const makeClaims = (sub: string, key: FleetKey, epoch: number, nowMs: number) => {
  const nowS = Math.floor(nowMs / 1000)
  return { iss: key.town, sub, aud: audience, iat: nowS, exp: nowS + lifetimeS, epoch }
}

/** The claims of a fleet token that this host mints now. */
export const fleetClaims = (
  who: { readonly gameId: string; readonly chatId: string | null },
  key: FleetKey,
  epoch: number,
  nowMs: number,
) => ({
  ...makeClaims(who.gameId, key, epoch, nowMs),
  ...(who.chatId === null ? {} : { chat: who.chatId }),
})

/** The claims of a peer token that this host mints now. */
export const peerClaims = (key: FleetKey, epoch: number, nowMs: number) =>
  makeClaims(key.town, key, epoch, nowMs)

interface ReadClaims extends t.TypeOf<typeof Claims> {
  readonly holder: FleetHolder
}

/** The claims of a person's token. */
const readPersonClaims = (claims: unknown): ReadClaims | null => {
  const read = PersonClaims.decode(claims)
  if (isLeft(read)) return null
  const { sub, chat = null } = read.right
  return { ...read.right, holder: { _tag: 'Person', gameId: sub, chatId: chat } }
}

/** The claims of a town's token: a town names itself, so that its key speaks for no other one. */
const readPeerClaims = (claims: unknown): ReadClaims | null => {
  const read = Claims.decode(claims)
  if (isLeft(read) || read.right.sub !== read.right.iss) return null
  return { ...read.right, holder: { _tag: 'Town', town: read.right.sub } }
}

/** How the claims of each type are read. A token is never read as one of the other type. */
const claimReaders: ReadonlyMap<string | null, (claims: unknown) => ReadClaims | null> = new Map([
  [fleetType, readPersonClaims],
  [peerType, readPeerClaims],
])

/**
 * Parses a token without its prefix and checks it against the published keys, except for its signature and
 * the time. Left says why it is refused. The key is looked up by `kid` alone, and it may sign for its own
 * town only.
 */
export const readFleetToken = (compact: string, { byKid, epoch }: FleetKeys): Either<string, FleetToken> => {
  const jwt = readJwt(compact)
  if (isLeft(jwt)) return jwt
  const { alg, kid, typ } = jwt.right.header
  const readClaims = claimReaders.get(typ)
  if (readClaims === undefined) return left('it is not a fleet token')
  const key = kid === null ? undefined : byKid.get(kid)
  if (key === undefined || epoch === null) return left('its key is not published')
  if (alg !== key.alg) return left('its algorithm is not that of its key')
  const claims = readClaims(jwt.right.claims)
  if (claims === null) return left('its claims are not those of its type')
  const { iss, holder, iat, exp, epoch: minted } = claims
  if (iss !== key.town) return left('its key belongs to another town')
  if (minted < epoch) return left('its epoch is past')
  if (exp - iat > lifetimeS) return left('it would be valid for too long')
  return right({ holder, issuedS: iat, expiresS: exp, key })
}

/** Whether a token is valid at this time: not expired, not from the future, and its key not withdrawn. */
export const isInTime = ({ issuedS, expiresS, key }: FleetToken, nowMs: number): boolean =>
  nowMs < expiresS * 1000 && nowMs >= (issuedS - skewS) * 1000 && nowMs <= endsMs(key)
