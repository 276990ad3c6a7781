import { createHash } from 'node:crypto'

/** The most characters of a nonce that the platform takes. */
const nonceLength = 25

/** A nonce made of parts: equal parts make one message for the platform, whichever host sends it. */
export const nonceOf = (...parts: ReadonlyArray<string>): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, nonceLength)
