import { createCipheriv, createDecipheriv, hash, hkdfSync } from 'node:crypto'

/** Whether a text has the form of a claim code: 256 bits in hex. */
export const isClaimCode = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/** The hash by which a claim is looked up. */
export const claimHash = (code: string): string => hash('sha256', code, 'hex')

/** Encrypts a key under a code for one game id. `nonce` must be new each time. */
export const sealKey = (key: string, code: string, gameId: string, nonce: Buffer): SealedKey => ({
  codeHash: claimHash(code),
  sealed: sealText(key, deriveSealKey(code), gameId, nonce),
})

/** Decrypts a key; null when it was not sealed under this code for this game id. */
export const unsealKey = (sealed: string, code: string, gameId: string): string | null =>
  unsealText(sealed, deriveSealKey(code), gameId)

export const nonceBytes = 12

/**
 * Encrypts a text with AES-256-GCM for one `context`: it opens only with the same one. `key` has 32 bytes, and
 * `nonce` must be new each time. Returns nonce, tag and text in base64.
 */
export const sealText = (text: string, key: Uint8Array, context: string, nonce: Uint8Array): string => {
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(context))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
}

/** Decrypts a text; null when it was not sealed with this key for this context. */
export const unsealText = (sealed: string, key: Uint8Array, context: string): string | null => {
  const bytes = Buffer.from(sealed, 'base64')
  const text = bytes.subarray(nonceBytes + tagBytes)
  try {
    const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
    cipher.setAAD(Buffer.from(context))
    cipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
    return Buffer.concat([cipher.update(text), cipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

/** An api key that waits to be claimed. The stored parts reveal nothing without the code (D39). */
interface SealedKey {
  /** SHA-256 of the code, in hex. */
  readonly codeHash: string
  /** Nonce, tag and text of AES-256-GCM, in base64. */
  readonly sealed: string
}

/**
 * The encryption key derived from a code. The stored hash is another function of the code and reveals nothing
 * of this key.
 */
const deriveSealKey = (code: string): Buffer =>
  Buffer.from(hkdfSync('sha256', Buffer.from(code, 'hex'), '', 'kronika: api key behind a claim code', 32))

const tagBytes = 16
