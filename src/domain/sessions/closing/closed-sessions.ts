import type { NameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { ledgerKey, ledgerKeyOf } from '#src/domain/lore/session-header.js'
import type { CloseLedger, Session, Sessions } from '../session.js'

/** The PU batches, as far as they name the sessions that they settled. */
interface Settlements {
  readonly all: ReadonlyArray<{ readonly sessions: ReadonlyArray<string> }>
}

const settledKeys = perValue(
  ({ all }: Settlements): ReadonlySet<NameKey> =>
    new Set(all.flatMap(batch => batch.sessions.map(ledgerKey))),
)

/** Why the effects of a session may no longer change; null while they may. */
export type Closing = 'closed' | 'settled' | null

/** Whether the session of a header is in the close ledger or in a PU batch (D62). */
export const closingOf = (
  { closeLedger, batches }: { readonly closeLedger: CloseLedger; readonly batches: Settlements },
  header: string,
): Closing => {
  const key = ledgerKey(header)
  if (closeLedger.closed.has(key)) return 'closed'
  return settledKeys(batches).has(key) ? 'settled' : null
}

/** The sessions by the key under which ledgers name them; the last one of headers that differ in case alone. */
export const sessionsByLedgerKey = perValue(
  ({ all }: Pick<Sessions, 'all'>): ReadonlyMap<NameKey, Session> =>
    new Map(all.map(session => [ledgerKeyOf(session), session])),
)
