import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { endsMs, type FleetKey, type FleetKeys } from './fleet-keys.js'
import { readJwt } from './jwt.js'

/** Prefix of a fleet token; the compact JWS follows (A 4.3). */
export const fleetPrefix = 'fsess_'

/** The `typ` of fleet tokens, which keeps other JWTs from being accepted as one (RFC 8725 3.11). */
export const fleetType = 'fsess+jwt'

/** Lifetime of a fleet token (D41). */
export const lifetimeS = 900

/** How far ahead the clock of the minting host may be (docs/spec/fleet-keys.md#tokens). */
const skewS = 60

const audience = 'kronika:fleet'

/** A safe integer. The JSON parser accepts larger numbers such as `1e21`. */
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

/** The content of a fleet token. `chatId`: the account that signed in, null when the game did. */
export interface FleetToken {
  readonly gameId: string
  readonly chatId: string | null
  readonly issuedS: number
  readonly expiresS: number
  /** The key that signed it; the key's `notAfter` limits every token of it. */
  readonly key: FleetKey
}

/** The claims of a token that this host mints now. */
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
 * Parses a token without its prefix and checks it against the published keys, except for its signature and
 * the time. Left says why it is refused. The key is looked up by `kid` alone, and it may sign for its own
 * town only.
 */
export const readFleetToken = (compact: string, { byKid, epoch }: FleetKeys): Either<string, FleetToken> => {
  const jwt = readJwt(compact)
  if (isLeft(jwt)) return jwt
  const { alg, kid, typ } = jwt.right.header
  if (typ !== fleetType) return left('it is not a fleet token')
  const key = kid === null ? undefined : byKid.get(kid)
  if (key === undefined || epoch === null) return left('its key is not published')
  if (alg !== key.alg) return left('its algorithm is not that of its key')
  const claims = Claims.decode(jwt.right.claims)
  if (isLeft(claims)) return left('its claims are not those of a fleet token')
  const { iss, sub, iat, exp, chat = null, epoch: minted } = claims.right
  if (iss !== key.town) return left('its key belongs to another town')
  if (minted < epoch) return left('its epoch is past')
  if (exp - iat > lifetimeS) return left('it would be valid for too long')
  return right({ gameId: sub, chatId: chat, issuedS: iat, expiresS: exp, key })
}

/** Whether a token is valid at this time: not expired, not from the future, and its key not withdrawn. */
export const isInTime = ({ issuedS, expiresS, key }: FleetToken, nowMs: number): boolean =>
  nowMs < expiresS * 1000 && nowMs >= (issuedS - skewS) * 1000 && nowMs <= endsMs(key)
