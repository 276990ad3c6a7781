import * as t from 'io-ts'
import { Instant } from '../atoms/instant.js'

/** Whose api key is to be made. */
export const ApiKeyWish = t.type({ gameId: t.string }, 'ApiKeyWish')

/** `openKeys` counts the keys of the person that are good today, the new one among them: a rotation ends none. */
const issued = { name: t.string, openKeys: t.number } as const

/**
 * A new api key of the person `issued`, known to nobody yet: `claim` is a code that `GET /api-keys/claim/{code}` of
 * this host takes once, until `expires` (D39).
 */
export const ApiKeyIssued = t.type(
  { issued: t.string, ...issued, claim: t.string, expires: Instant },
  'ApiKeyIssued',
)

/** A dry run makes no key: its diff shows where the hash would stand, and none. */
export const ApiKeyPreview = t.type({ wouldIssue: t.string, ...issued, diff: t.string }, 'ApiKeyPreview')
export type ApiKeyAnswer = t.TypeOf<typeof ApiKeyIssued> | t.TypeOf<typeof ApiKeyPreview>

/** The key itself, told this once. */
export const ApiKeyClaimed = t.type({ key: t.string, gameId: t.string }, 'ApiKeyClaimed')
