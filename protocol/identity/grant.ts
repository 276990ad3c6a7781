import * as t from 'io-ts'
import { previewOf } from '#protocol/dry-run.js'

/** A capability to give to a game id or to take from it: an id of A 5, or `<resource>.all`. */
export const GrantWish = t.type({ gameId: t.string, capability: t.string }, 'GrantWish')
export type GrantWish = t.TypeOf<typeof GrantWish>

/**
 * `held` is how far the person holds the capability after the write, from all sources: a role may give what a
 * grant no longer does.
 */
const after = {
  gameId: t.string,
  name: t.union([t.string, t.null]),
  changed: t.boolean,
  held: t.keyof({ full: null, own: null, none: null }),
} as const

/**
 * `binding` is the chat account that speaks for the id and so gets the right too, null when there is none.
 * `by` is who bound it; `chat:<chatId>` is the account itself, by a registration that nothing verified (A
 * 4.4.1, ADR 1019).
 */
const speaks = {
  binding: t.union([t.type({ chatId: t.string, since: t.string, by: t.string }, 'SpeakingAccount'), t.null]),
} as const

/** `changed` is false when everything was already as requested and no commit was made (D32). */
export const Granted = t.type({ granted: t.string, ...after, ...speaks }, 'Granted')
export type Granted = t.TypeOf<typeof Granted>
export const GrantPreview = previewOf({ wouldGrant: t.string, ...after, ...speaks }, 'GrantPreview')
export const GrantAnswer = t.union([Granted, GrantPreview], 'GrantAnswer')
export type GrantAnswer = t.TypeOf<typeof GrantAnswer>

/** `name` is null when no person has the id today. */
export const Revoked = t.type({ revoked: t.string, ...after }, 'Revoked')
export const RevokePreview = previewOf({ wouldRevoke: t.string, ...after }, 'RevokePreview')
export const RevokeAnswer = t.union([Revoked, RevokePreview], 'RevokeAnswer')
export type RevokeAnswer = t.TypeOf<typeof RevokeAnswer>
