import { createHash, type KeyObject } from 'node:crypto'

/**
 * A short fingerprint by which people compare public keys: the first 16 hex digits of the SHA-256 of its SPKI
 * in DER, the beginning of `openssl pkey -pubin -outform DER | sha256sum`.
 */
export const keyPrint = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ format: 'der', type: 'spki' }))
    .digest('hex')
    .slice(0, 16)
