import { perValue } from '#src/domain/caching/per-value.js'
import { sessionKey } from '#src/domain/lore/session-header.js'
import type { CloseLedger } from '../session.js'

/** A session key without case: histories compare headers so (FORMATS 6.3). */
export const foldCase = (key: string): string => key.toLowerCase()

/** The PU batches, as far as they name the sessions that they settled. */
interface Settlements {
  readonly all: ReadonlyArray<{ readonly sessions: ReadonlyArray<string> }>
}

const closedKeys = perValue(
  ({ closed }: CloseLedger): ReadonlySet<string> => new Set([...closed].map(foldCase)),
)

const settledKeys = perValue(
  ({ all }: Settlements): ReadonlySet<string> =>
    new Set(all.flatMap(batch => batch.sessions.map(header => foldCase(sessionKey(header))))),
)

/** Why the effects of a session may no longer change; null while they may. */
export type Closing = 'closed' | 'settled' | null

/** Whether the session of a key is in the close ledger or in a PU batch (D62). */
export const closingOf = (
  { closeLedger, batches }: { readonly closeLedger: CloseLedger; readonly batches: Settlements },
  key: string,
): Closing => {
  if (closedKeys(closeLedger).has(foldCase(key))) return 'closed'
  return settledKeys(batches).has(foldCase(key)) ? 'settled' : null
}
