import { hash, timingSafeEqual } from 'node:crypto'
import type { Caller } from '#src/identity/caller.js'
import { viewOf } from '#src/identity/rights/grade.js'

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

/** Whether a token is the one of this hash, in a time that does not tell how near it came. */
export const isToken = (token: string, kept: Buffer): boolean => timingSafeEqual(tokenHash(token), kept)
