import { perValue } from '#src/domain/caching/per-value.js'
import { ledgerKeyOf } from '#src/domain/lore/session-header.js'
import { foldingOf, isSureOf, type Narrated } from './naming/folding.js'
import type { Session } from './session.js'
import type { SessionLore } from './session-lore.js'

/** Sessions neither closed nor distributed, oldest first (B 4.2). */
export const listOpenSessions = perValue(
  ({ sessions, closeLedger }: SessionLore): ReadonlyArray<Session> =>
    sessions.all.filter(
      session =>
        !closeLedger.closed.has(ledgerKeyOf(session)) && !closeLedger.distributed.has(ledgerKeyOf(session)),
    ),
)

/** The open sessions of a narrator; `sure` is false if the name or one of `forms` is no written spelling. */
export interface OpenNarrated extends Narrated {
  readonly sure: boolean
}

/**
 * The open sessions of a narrator, and the spellings of the name in them; a conjunction is a name of its own.
 */
export const openSessionsOf = (lore: SessionLore, narrator: string): OpenNarrated => {
  const folding = foldingOf(lore)
  const { key } = folding.fold(narrator)
  const narrated = folding.byKey.get(key)
  if (narrated === undefined) return { sessions: [], forms: [], sure: isSureOf(folding, [narrator]) }
  const open = new Set(listOpenSessions(lore))
  const sessions = narrated.sessions.filter(session => open.has(session))
  const forms = new Set(
    sessions.flatMap(session => session.narrators.filter(form => folding.fold(form).key === key)),
  )
  return { sessions, forms: [...forms], sure: isSureOf(folding, [narrator, ...forms]) }
}
