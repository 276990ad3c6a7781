import { timingSafeEqual } from 'node:crypto'
import { tokenHash } from './machine-token.js'

/** The stored record of a token, with its rights. */
export interface TokenRecord<A> {
  /** SHA-256 of the whole token, prefix included: 32 bytes. */
  readonly hash: Buffer
  readonly right: A
}

/** Finds a record by the hash of a token in lower-case hex; null for an unknown hash. */
export type FindTokenRecord<A> = (hash: string) => TokenRecord<A> | null

/**
 * Returns a function that finds the rights of a token; null for an unknown one. It hashes first, looks up by
 * the hash alone, and compares the hashes in constant time (S34).
 */
export const rightOf =
  <A>(find: FindTokenRecord<A>) =>
  (token: string): A | null => {
    const hash = tokenHash(token)
    const kept = find(hash.toString('hex'))
    return kept !== null && timingSafeEqual(kept.hash, hash) ? kept.right : null
  }
