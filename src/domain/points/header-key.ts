import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { sessionKey } from '#src/domain/lore/session-header.js'

/** The key under which a session header is settled: its identity without case (FORMATS 4.1, 6.3). */
export const headerKey = (header: string): NameKey => nameKey(sessionKey(header))

/** The same key of a session, computed once for each. */
export const keyOfSession = perValue(({ header }: { readonly header: string }): NameKey => headerKey(header))
