import { timingSafeEqual } from 'node:crypto'
import { tokenHash } from './machine-token.js'

/** What a host keeps of a token, and what it is good for. */
export interface TokenRecord<A> {
  /** SHA-256 of the whole token, prefix included: 32 bytes. */
  readonly hash: Buffer
  readonly right: A
}

/** Finds what is kept by the hash of a token in lower-case hex; null for a hash that no store knows. */
export type FindTokenRecord<A> = (hash: string) => TokenRecord<A> | null

/**
 * What a token is good for, null for one that is not kept: hashed before anything is asked, one look-up by the hash
 * alone, and the hashes compared in a time that does not tell how near they are (S34).
 */
export const rightOf =
  <A>(find: FindTokenRecord<A>) =>
  (token: string): A | null => {
    const hash = tokenHash(token)
    const kept = find(hash.toString('hex'))
    return kept !== null && timingSafeEqual(kept.hash, hash) ? kept.right : null
  }
