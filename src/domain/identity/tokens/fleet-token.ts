import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { endsMs, type FleetKey, type FleetKeys } from './fleet-keys.js'
import { readJwt } from './jwt.js'

/** How a fleet token begins; the compact JWS follows (A 4.3). */
export const fleetPrefix = 'fsess_'

/** The kind of our token, so that no other JWT is taken for one (RFC 8725 3.11). */
export const fleetType = 'fsess+jwt'

/** Lifetime of a fleet token (D41). */
export const lifetimeS = 900

/** How far ahead the clock of the host that minted may go (docs/spec/fleet-keys.md#tokens). */
const skewS = 60

const audience = 'kronika:fleet'

/** A number that is exact; the reader of JSON lets `1e21` pass. */
const Whole = t.refinement(t.number, Number.isSafeInteger, 'Whole')

const Claims = t.intersection([
  t.type({
    iss: t.string,
    sub: t.string,
    aud: t.literal(audience),
    iat: Whole,
    exp: Whole,
    epoch: Whole,
  }),
  t.partial({ chat: t.string }),
])

/** What a fleet token says. `chatId`: the account that signed in, null where the game did. */
export interface FleetToken {
  readonly gameId: string
  readonly chatId: string | null
  readonly issuedS: number
  readonly expiresS: number
  /** The key that signed it; its `notAfter` holds for every token of it. */
  readonly key: FleetKey
}

/** Claims of a token that the town's host gives out now. */
export const fleetClaims = (
  who: { readonly gameId: string; readonly chatId: string | null },
  key: FleetKey,
  epoch: number,
  nowMs: number,
) => {
  const nowS = Math.floor(nowMs / 1000)
  return {
    iss: key.town,
    sub: who.gameId,
    aud: audience,
    iat: nowS,
    exp: nowS + lifetimeS,
    epoch,
    ...(who.chatId === null ? {} : { chat: who.chatId }),
  }
}

/**
 * Reads a token without its prefix against the published keys: everything but its signature, and the time. Left is why
 * nobody takes it. The key is looked up by `kid` alone; its town is the only issuer that it may sign for.
 */
export const readFleetToken = (compact: string, { byKid, epoch }: FleetKeys): Either<string, FleetToken> => {
  const jwt = readJwt(compact)
  if (isLeft(jwt)) return jwt
  const { alg, kid, typ } = jwt.right.header
  if (typ !== fleetType) return left('it is no fleet token')
  const key = kid === null ? undefined : byKid.get(kid)
  if (key === undefined || epoch === null) return left('its key is not published')
  if (alg !== key.alg) return left('its algorithm is not that of its key')
  const claims = Claims.decode(jwt.right.claims)
  if (isLeft(claims)) return left('its claims are not those of a fleet token')
  const { iss, sub, iat, exp, chat = null, epoch: minted } = claims.right
  if (iss !== key.town) return left('its key is that of another town')
  if (minted < epoch) return left('its epoch is over')
  if (exp - iat > lifetimeS) return left('it is to live too long')
  return right({ gameId: sub, chatId: chat, issuedS: iat, expiresS: exp, key })
}

/** Whether a token is good at this time: not expired, not from the future, and its key not withdrawn. */
export const isInTime = ({ issuedS, expiresS, key }: FleetToken, nowMs: number): boolean =>
  nowMs < expiresS * 1000 && nowMs >= (issuedS - skewS) * 1000 && nowMs <= endsMs(key)
