import type { KeyObject } from 'node:crypto'

/** A public key with the one algorithm that it is used with (RFC 8725 3.1): no token ever chooses it. */
export interface VerifyKey {
  readonly alg: 'EdDSA' | 'RS256'
  readonly key: KeyObject
}

/**
 * Whether the signature of a compact JWS is one of this key. False for everything else that can be wrong, such as a
 * key of another kind than the algorithm wants, or an RSA key of fewer than 2,048 bits. Never rejects.
 */
export type VerifyJws = (compact: string, key: VerifyKey) => Promise<boolean>

/** Signs claims as a compact JWS with the algorithm EdDSA. */
export type SignJws = (
  header: { readonly typ: string; readonly kid: string },
  claims: Readonly<Record<string, string | number>>,
) => Promise<string>
