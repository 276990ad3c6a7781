import * as t from 'io-ts'
import { previewOf } from '#protocol/dry-run.js'
import { Instant } from '../atoms/instant.js'

/** The person for whom a key is requested. */
export const ApiKeyWish = t.type({ gameId: t.string }, 'ApiKeyWish')

/** `openKeys` counts the valid keys of the person, the new one included: a rotation ends none. */
const issued = { name: t.string, openKeys: t.number } as const

/**
 * A new api key of the person `issued`. No answer has shown it yet: `claim` is a code that `GET
 * /api-keys/claim/{code}` of this host accepts once, until `expires` (D39).
 */
export const ApiKeyIssued = t.type(
  { issued: t.string, ...issued, claim: t.string, expires: Instant },
  'ApiKeyIssued',
)

/** A dry run makes no key: its diff shows a placeholder in place of the hash. */
export const ApiKeyPreview = previewOf({ wouldIssue: t.string, ...issued }, 'ApiKeyPreview')
export type ApiKeyAnswer = t.TypeOf<typeof ApiKeyIssued> | t.TypeOf<typeof ApiKeyPreview>

/** The key itself, shown only in this answer. */
export const ApiKeyClaimed = t.type({ key: t.string, gameId: t.string }, 'ApiKeyClaimed')
