import { createPublicKey, type KeyObject } from 'node:crypto'
import { getOrElse, isLeft, tryCatch } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Instant } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { firstFindings } from '#src/domain/lore/first-findings.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { readCommittedJson } from '../committed-json.js'

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
