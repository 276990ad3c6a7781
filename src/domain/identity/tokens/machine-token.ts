import { hash, timingSafeEqual } from 'node:crypto'
import type { Caller } from '#src/domain/callers/caller.js'
import { viewOf } from '../rights/grade.js'

/** The hash of a token, which is stored and compared. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer')

const holds: ReadonlySet<string> = new Set(['admin.all'])

/** The caller of the machine token: local processes, with all rights (A 5.1). */
export const machine: Caller = {
  kind: 'machine',
  gracz: null,
  gameId: null,
  holds,
  grade: 'full',
  view: viewOf(holds),
}

const nothing: ReadonlySet<string> = new Set()

/** The caller of a request without credentials, whom only public rows admit. */
export const anonymous: Caller = {
  kind: 'anonymous',
  gracz: null,
  gameId: null,
  holds: nothing,
  grade: 'full',
  view: viewOf(nothing),
}

/**
 * Returns a function that checks a token against a hash in constant time. A token that matched once is then
 * compared by its bytes, which takes a fifth of the time of hashing.
 */
export const tokenCheck = (kept: Buffer): ((token: string) => boolean) => {
  let known: Buffer | null = null
  return token => {
    const shown = Buffer.from(token)
    if (known !== null && shown.length === known.length && timingSafeEqual(shown, known)) return true
    if (!timingSafeEqual(tokenHash(token), kept)) return false
    known = shown
    return true
  }
}
