import { perValue } from '#src/lore/per-value.js'
import type { Batches } from '#src/points/batch.js'
import { sessionKey } from '#src/sessions/reading/header.js'
import type { CloseLedger } from '#src/sessions/session.js'

/** Histories compare headers whatever their case (FORMATS 6.3). */
const folded = (key: string): string => key.toLowerCase()

const closedKeys = perValue(
  ({ closed }: CloseLedger): ReadonlySet<string> => new Set([...closed].map(folded)),
)

const settledKeys = perValue(
  ({ all }: Batches): ReadonlySet<string> =>
    new Set(all.flatMap(batch => batch.sessions.map(header => folded(sessionKey(header))))),
)

/** Why the effects of a session may no longer change; null while they may. */
export type Closing = 'closed' | 'settled' | null

/** Whether the close ledger or a PU batch has the session of a key (D62). */
export const closingOf = (
  { closeLedger, batches }: { readonly closeLedger: CloseLedger; readonly batches: Batches },
  key: string,
): Closing => {
  if (closedKeys(closeLedger).has(folded(key))) return 'closed'
  return settledKeys(batches).has(folded(key)) ? 'settled' : null
}
