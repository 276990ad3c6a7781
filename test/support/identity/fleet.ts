import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { worldOf } from '#test/support/world.js'

/** A host of a test: its key pair, published as `<town>.1` unless the test omits it. */
export interface TestHost {
  readonly town: string
  readonly kid: string
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

export const testHost = (town: string): TestHost => ({
  town,
  kid: `${town}.1`,
  ...generateKeyPairSync('ed25519'),
})

export const xOf = (key: KeyObject): string => String(key.export({ format: 'jwk' })['x'])

/** The entry of a host in `.svc/fleet-keys.json`. */
export const publishedKeyOf = ({ town, kid, publicKey }: TestHost, notAfter: string | null = null) => ({
  kid,
  town,
  alg: 'EdDSA',
  jwk: { kty: 'OKP', crv: 'Ed25519', x: xOf(publicKey) },
  notAfter,
})

export const keysFile = (file: { readonly epoch: unknown; readonly keys: ReadonlyArray<unknown> }): string =>
  JSON.stringify(file)

/** Brzoza is a Narrator with the id 100 and the account c1; Cis has the id 200. */
export const fleetFiles = (keys: string): Readonly<Record<string, string>> => ({
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md':
    '## Gracz\n### Brzoza\n- @gameid: 100 (2020-01:)\n- @rola: Narrator (2024-01:)\n### Cis\n- @gameid: 200\n',
  '.svc/bindings.json': JSON.stringify({
    bindings: [{ chatId: 'c1', gameId: '100', since: '2026-01-01T00:00:00Z', by: 'Brzoza' }],
  }),
  '.svc/fleet-keys.json': keys,
})

export const fleetWorld = (keys: string, others: Readonly<Record<string, string>> = {}): Snapshot =>
  worldOf({ ...fleetFiles(keys), ...others })

export const encodeSegment = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** A compact JWS made without the daemon's implementation; header and claims are given as text or value. */
export const signCompact = (
  key: KeyObject,
  header: unknown,
  claims: unknown,
  digest: string | null = null,
): string => {
  const input = `${encodeSegment(header)}.${encodeSegment(claims)}`
  return `${input}.${sign(digest, Buffer.from(input), key).toString('base64url')}`
}

export const fleetHeader = ({ kid }: TestHost) => ({ alg: 'EdDSA', typ: 'fsess+jwt', kid })

/** The claims of a valid token of this host for Brzoza, issued at this time. */
export const goodClaims = ({ town }: TestHost, nowMs: number) => {
  const iat = Math.floor(nowMs / 1000)
  return { iss: town, sub: '100', aud: 'kronika:fleet', iat, exp: iat + 900, epoch: 1 }
}

export const peerHeader = (host: TestHost) => ({ ...fleetHeader(host), typ: 'fpeer+jwt' })

/** The claims of a valid peer token of this host, issued at this time. */
export const goodPeerClaims = (host: TestHost, nowMs: number) => ({
  ...goodClaims(host, nowMs),
  sub: host.town,
})
