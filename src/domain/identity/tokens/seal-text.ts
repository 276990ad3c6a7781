import { createCipheriv, createDecipheriv } from 'node:crypto'

export const nonceBytes = 12
const tagBytes = 16

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
