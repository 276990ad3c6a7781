import type { KeyObject } from 'node:crypto'

/** A public key with the one algorithm that it is used with (RFC 8725 3.1): the token never chooses it. */
export interface VerifyKey {
  readonly alg: 'EdDSA' | 'RS256'
  readonly key: KeyObject
}

/**
 * Whether this key verifies the signature of a compact JWS. Returns false for any other defect too, such as a
 * key type that does not fit the algorithm, or an RSA key of fewer than 2,048 bits. Never rejects.
 */
export type VerifyJws = (compact: string, key: VerifyKey) => Promise<boolean>

/** Signs claims as a compact JWS with the algorithm EdDSA. */
export type SignJws = (
  header: { readonly typ: string; readonly kid: string },
  claims: Readonly<Record<string, string | number>>,
) => Promise<string>
