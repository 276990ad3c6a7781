/** A public key with the one algorithm that it is used with (RFC 8725 3.1): no token ever chooses it. */
export type VerifyKey =
  | {
      readonly alg: 'EdDSA'
      readonly jwk: { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string }
    }
  | { readonly alg: 'RS256'; readonly jwk: { readonly kty: 'RSA'; readonly n: string; readonly e: string } }

/**
 * Whether the signature of a compact JWS is one of this key. False for everything else that can be wrong, such as a
 * key that is none, or an RSA key of fewer than 2,048 bits. Never rejects.
 */
export type VerifyJws = (compact: string, key: VerifyKey) => Promise<boolean>

/** Signs claims as a compact JWS with the algorithm EdDSA. */
export type SignJws = (
  header: { readonly typ: string; readonly kid: string },
  claims: Readonly<Record<string, string | number>>,
) => Promise<string>
