import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { type Either, getOrElse, isLeft, left, right, tryCatch } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Instant } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { type Finding, firstFindings } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { readCommittedJson } from '../committed-json.js'
import { readJwt } from './tokens.js'

export const fleetKeysPath = '.svc/fleet-keys.json'

const raw32 = /^[A-Za-z0-9_-]{43}$/

const Jwk = t.readonly(
  t.type({
    kty: t.literal('OKP'),
    crv: t.literal('Ed25519'),
    x: t.refinement(t.string, text => raw32.test(text), 'Ed25519X'),
  }),
  'FleetJwk',
)

/** A public Ed25519 key of a host (RFC 8037). After `notAfter` no signature of it is valid. */
export const FleetKey = t.readonly(
  t.type({
    kid: t.string,
    town: t.string,
    alg: t.literal('EdDSA'),
    jwk: Jwk,
    notAfter: t.union([Instant, t.null]),
  }),
  'FleetKey',
)
export type FleetKey = t.TypeOf<typeof FleetKey>

const Epoch = t.refinement(t.number, Number.isSafeInteger, 'Epoch')

/** `.svc/fleet-keys.json` (LAYOUT). Every host refuses fleet tokens of an epoch below `epoch` (S29). */
export const FleetKeysFile = t.readonly(
  t.type({ epoch: Epoch, keys: t.readonlyArray(FleetKey) }),
  'FleetKeysFile',
)
export type FleetKeysFile = t.TypeOf<typeof FleetKeysFile>

export interface FleetKeys {
  /**
   * The content of the file. Null when there is no file or it cannot be read; no fleet token is valid then.
   */
  readonly stored: FleetKeysFile | null
  readonly epoch: number | null
  readonly byKid: ReadonlyMap<string, FleetKey>
  readonly findings: ReadonlyArray<Finding>
}

/** The published keys. A file that cannot be read publishes none. */
export const fleetKeysOf = (file: SourceFile | null): FleetKeys => {
  if (file === null) return none
  const read = readCommittedJson(file, FleetKeysFile, '{"epoch": 1, "keys": [...]}')
  if (isLeft(read)) {
    const reason = `Plik kluczy floty ${read.left}; żaden token floty nie działa.`
    return { ...none, findings: [finding(file, 'FleetKeysUnreadable', null, reason)] }
  }
  const stored = read.right
  const bad = faults(stored)
  return {
    stored,
    epoch: stored.epoch,
    byKid: new Map(stored.keys.filter(key => !bad.has(key.kid)).map(key => [key.kid, key])),
    findings: firstFindings([...bad], ([kid, [kind, reason]]) => finding(file, kind, kid, reason)),
  }
}

/** The public key object of a published key; null when its bytes are no valid key. */
export const publicKeyOf = perValue((key: FleetKey): KeyObject | null =>
  getOrElse<unknown, KeyObject | null>(() => null)(
    tryCatch<unknown, KeyObject | null>(
      () => createPublicKey({ key: key.jwk, format: 'jwk' }),
      error => error,
    ),
  ),
)

/** The end of a key's validity in milliseconds since 1970; infinity when it has none. */
export const endsMs = ({ notAfter }: FleetKey): number =>
  notAfter === null ? Number.POSITIVE_INFINITY : Date.parse(notAfter)

/** Prefix of a fleet token and of a peer token; the compact JWS follows (A 4.3, D49). */
export const fleetPrefix = 'fsess_'

/** The `typ` of the fleet token of a person, which keeps other JWTs from being accepted as one (RFC 8725 3.11). */
export const fleetType = 'fsess+jwt'

/** The `typ` of a peer token: the fleet token of a town, with which a host calls the others (D49). */
export const peerType = 'fpeer+jwt'

/** Lifetime of a token of either type (D41, D49). */
export const lifetimeS = 900

/** The content of a fleet token or peer token. */
export interface FleetToken {
  readonly holder: FleetHolder
  readonly issuedS: number
  readonly expiresS: number
  /** The key that signed it; the key's `notAfter` limits every token of it. */
  readonly key: FleetKey
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

/**
 * The signature trailer of a commit, unverified: the id of the key, the base64url signature, and the signed
 * bytes.
 */
export interface CommitSignature {
  readonly kid: string
  readonly text: string
  readonly signed: Buffer
}

/**
 * The trailer with which a host signs a commit. It signs all bytes of the commit object before the trailer.
 */
export const signatureTrailer = (commit: Buffer, kid: string, key: KeyObject): string =>
  `Svc-Signature: ${kid} ${sign(null, bytesToSign(commit), key).toString('base64url')}\n`

/** The signature at the end of a commit object, unverified; null when there is none. */
export const signatureIn = (commit: Buffer): CommitSignature | null => {
  const at = commit.lastIndexOf(begin)
  if (at < 0 || commit.length - at > trailerBytesMax) return null
  const [, kid, text] = trailer.exec(commit.subarray(at + 1).toString('utf8')) ?? []
  return kid === undefined || text === undefined ? null : { kid, text, signed: commit.subarray(0, at + 1) }
}

/** Whether the signature was made with this published key. Does not check the time. */
export const isSignedWith = ({ text, signed }: CommitSignature, published: FleetKey): boolean => {
  const key = publicKeyOf(published)
  return key !== null && verify(null, bytesToSign(signed), key, Buffer.from(text, 'base64url'))
}

/** Whether a key counts for a commit of this time: a retired key counts until its end. */
export const isKeyOfTime = (published: FleetKey, committedMs: number): boolean =>
  committedMs <= endsMs(published)

const none: FleetKeys = { stored: null, epoch: null, byKid: new Map(), findings: [] }

const mends = {
  FleetKeysUnreadable: 'Popraw plik albo przywróć jego poprzednią wersję.',
  FleetKeyTwice: 'Usuń z pliku zbędny wpis albo przywróć poprzednią wersję pliku.',
  FleetKeyPrivate:
    'Wykonaj „kronika keys rotate --town MIASTO --raise-epoch”, a potem usuń z pliku ten wpis.',
} as const
type FleetKeyFault = keyof typeof mends

const finding = (file: SourceFile, kind: FleetKeyFault, subject: string | null, reason: string): Finding => ({
  kind,
  severity: 'error',
  file: file.path,
  line: null,
  subject,
  reason,
  suggestion: mends[kind],
})

/**
 * Faults of keys by kid: a repeated kid is never used, and a key that shows its private half is compromised.
 */
const faults = ({
  keys,
}: FleetKeysFile): ReadonlyMap<string, readonly [kind: FleetKeyFault, reason: string]> => {
  const seen = new Set<string>()
  const found = new Map<string, readonly [kind: FleetKeyFault, reason: string]>()
  for (const { kid, jwk } of keys) {
    if (seen.has(kid))
      found.set(kid, ['FleetKeyTwice', `Klucz ${kid} występuje w pliku więcej niż raz; nie działa.`])
    if ('d' in jwk)
      found.set(kid, ['FleetKeyPrivate', `Klucz ${kid} ogłoszono z częścią prywatną; nie działa.`])
    seen.add(kid)
  }
  return found
}

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
type FleetHolder =
  | { readonly _tag: 'Person'; readonly gameId: string; readonly chatId: string | null }
  | { readonly _tag: 'Town'; readonly town: string }

const makeClaims = (sub: string, key: FleetKey, epoch: number, nowMs: number) => {
  const nowS = Math.floor(nowMs / 1000)
  return { iss: key.town, sub, aud: audience, iat: nowS, exp: nowS + lifetimeS, epoch }
}

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

/** Precedes the signed bytes, so that a signature of a commit is never valid for a token, nor the reverse. */
const domain = Buffer.from('kronika commit\n', 'utf8')

const begin = Buffer.from('\nSvc-Signature: ', 'utf8')
const trailer = /^Svc-Signature: (.{1,200}) ([\w-]{86})\n$/u
const trailerBytesMax = 1024

const bytesToSign = (commit: Buffer): Buffer => Buffer.concat([domain, commit])
