import * as t from 'io-ts'

/** A capability given to a game id, or taken from it: an id of A 5, or `<resource>.all`. */
export const GrantWish = t.type({ gameId: t.string, capability: t.string }, 'GrantWish')
export type GrantWish = t.TypeOf<typeof GrantWish>

/**
 * `held` is how far the person holds the capability after it, by all that they have: a role may give what a grant no
 * longer does.
 */
const after = {
  gameId: t.string,
  name: t.union([t.string, t.null]),
  changed: t.boolean,
  held: t.keyof({ full: null, own: null, none: null }),
} as const

const diffed = { diff: t.string } as const

/** `changed` false: all was as wanted, and no commit was made (D32). */
export const Granted = t.type({ granted: t.string, ...after }, 'Granted')
export const GrantPreview = t.type({ wouldGrant: t.string, ...after, ...diffed }, 'GrantPreview')
export const GrantAnswer = t.union([Granted, GrantPreview], 'GrantAnswer')
export type GrantAnswer = t.TypeOf<typeof GrantAnswer>

/** `name` is null where nobody is known by the id any more. */
export const Revoked = t.type({ revoked: t.string, ...after }, 'Revoked')
export const RevokePreview = t.type({ wouldRevoke: t.string, ...after, ...diffed }, 'RevokePreview')
export const RevokeAnswer = t.union([Revoked, RevokePreview], 'RevokeAnswer')
export type RevokeAnswer = t.TypeOf<typeof RevokeAnswer>
