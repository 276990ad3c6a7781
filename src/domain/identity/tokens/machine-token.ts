import { hash, timingSafeEqual } from 'node:crypto'
import type { Caller } from '#src/domain/callers/caller.js'
import { viewOf } from '../rights/grade.js'

/** What is kept and compared of a token. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer')

const holds: ReadonlySet<string> = new Set(['admin.all'])

/** The caller behind the machine token: local processes, with everything (A 5.1). */
export const machine: Caller = {
  kind: 'machine',
  gracz: null,
  gameId: null,
  holds,
  grade: 'full',
  view: viewOf(holds),
}

const nothing: ReadonlySet<string> = new Set()

/** Who sends no credentials: let in by public rows alone. */
export const anonymous: Caller = {
  kind: 'anonymous',
  gracz: null,
  gameId: null,
  holds: nothing,
  grade: 'full',
  view: viewOf(nothing),
}

/**
 * Tells whether a token is the one of this hash, in a time that does not depend on how much of it is right. The token
 * that was it once is compared by its bytes from then on, which takes a fifth of the time of a hash.
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
