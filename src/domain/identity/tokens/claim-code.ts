import { hash, hkdfSync } from 'node:crypto'
import { sealText, unsealText } from './seal-text.js'

/** An api key that waits to be claimed. The stored parts reveal nothing without the code (D39). */
export interface SealedKey {
  /** SHA-256 of the code, in hex. */
  readonly codeHash: string
  /** Nonce, tag and text of AES-256-GCM, in base64. */
  readonly sealed: string
}

/** Whether a text has the form of a claim code: 256 bits in hex. */
export const isClaimCode = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/** The hash by which a claim is looked up. */
export const claimHash = (code: string): string => hash('sha256', code, 'hex')

/**
 * The encryption key derived from a code. The stored hash is another function of the code and reveals nothing
 * of this key.
 */
const deriveSealKey = (code: string): Buffer =>
  Buffer.from(hkdfSync('sha256', Buffer.from(code, 'hex'), '', 'kronika: api key behind a claim code', 32))

/** Encrypts a key under a code for one game id. `nonce` must be new each time. */
export const sealKey = (key: string, code: string, gameId: string, nonce: Buffer): SealedKey => ({
  codeHash: claimHash(code),
  sealed: sealText(key, deriveSealKey(code), gameId, nonce),
})

/** Decrypts a key; null when it was not sealed under this code for this game id. */
export const unsealKey = (sealed: string, code: string, gameId: string): string | null =>
  unsealText(sealed, deriveSealKey(code), gameId)
