import * as t from 'io-ts'
import { committedJson } from '#src/identity/committed-json.js'
import type { Finding } from '#src/lore/finding.js'
import type { SourceFile } from '#src/lore/source-file.js'

export const fleetKeysPath = '.svc/fleet-keys.json'

const raw32 = /^[A-Za-z0-9_-]{43}$/

/** A public Ed25519 key of a host, as a JWK (RFC 8037). */
export const FleetKey = t.readonly(
  t.type({
    kid: t.string,
    town: t.string,
    kty: t.literal('OKP'),
    crv: t.literal('Ed25519'),
    x: t.refinement(t.string, text => raw32.test(text), 'Ed25519X'),
  }),
  'FleetKey',
)
export type FleetKey = t.TypeOf<typeof FleetKey>

/** `.svc/fleet-keys.json` (A 4.3): fleet tokens of an epoch below `epoch` are refused everywhere (S29). */
export const FleetKeysFile = t.type({ epoch: t.Int, keys: t.readonlyArray(FleetKey) }, 'FleetKeysFile')

export interface FleetKeys {
  /** Null where there is no readable file: then nobody's fleet token is good. */
  readonly epoch: number | null
  readonly byKid: ReadonlyMap<string, FleetKey>
  readonly findings: ReadonlyArray<Finding>
}

const none: FleetKeys = { epoch: null, byKid: new Map(), findings: [] }

const finding = (file: SourceFile, kind: string, subject: string | null, reason: string): Finding => ({
  kind,
  severity: 'error',
  file: file.path,
  line: null,
  subject,
  reason,
  suggestion: 'Klucz ogłasza polecenie `kronika keys rotate`.',
})

/** The published keys. A `kid` that stands twice is nobody's, and a file that cannot be read publishes none. */
export const fleetKeysOf = (file: SourceFile | null): FleetKeys => {
  if (file === null) return none
  const read = committedJson(file, FleetKeysFile)
  if (read === null) {
    const reason =
      'Plik kluczy floty nie ma postaci {"epoch": 1, "keys": [...]}; żeden żeton floty nie działa.'
    return { ...none, findings: [finding(file, 'FleetKeysUnreadable', null, reason)] }
  }
  const count = (kid: string): number => read.keys.filter(key => key.kid === kid).length
  const again = new Set(read.keys.map(key => key.kid).filter(kid => count(kid) > 1))
  return {
    epoch: read.epoch,
    byKid: new Map(read.keys.filter(key => !again.has(key.kid)).map(key => [key.kid, key])),
    findings: [...again].map(kid =>
      finding(file, 'FleetKeyTwice', kid, `Klucz ${kid} stoi w pliku więcej niż raz; nie działa.`),
    ),
  }
}
