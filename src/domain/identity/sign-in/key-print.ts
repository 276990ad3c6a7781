import { createHash, type KeyObject } from 'node:crypto'

/**
 * By what a person tells a public key from another: the first 16 hex digits of the SHA-256 of its SPKI in DER, as
 * `openssl pkey -pubin -outform DER | sha256sum` begins.
 */
export const keyPrint = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ format: 'der', type: 'spki' }))
    .digest('hex')
    .slice(0, 16)
