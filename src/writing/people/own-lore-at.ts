import { nameKey } from '#protocol/atoms.js'
import type { Route } from '#protocol/route.js'
import { type Caller, callerName } from '#src/domain/callers/caller.js'
import { isOwnWrite } from '#src/domain/identity/readable.js'
import { bytesOfCharacters } from '#src/domain/people/own-lore.js'
import { ownScopeAt } from '#src/snapshot/own-scope-at.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { bytesOfReports } from '../sessions/report/report-path.js'
import type { OwnLore } from './own-bounds.js'

const mends = {
  'player.write.own': 'Remove what is not needed, or ask a narrator.',
  'session.report': 'Ask a narrator to accept the reports that you sent, then send this one again.',
} as const

/**
 * Postacie of the caller's Gracz and reports of the caller. Callers without a Gracz share the reports of
 * their kind.
 */
const loreOf = (snapshot: Snapshot, caller: Caller, capability: keyof typeof mends): OwnLore => {
  const by = callerName(caller)
  const scope = ownScopeAt(snapshot, { ...caller, grade: 'own' })
  return {
    key: scope?.person?.key ?? nameKey(by),
    bytes: () => bytesOfCharacters(snapshot, scope?.blocks ?? []) + bytesOfReports(snapshot.files, by),
    mend: mends[capability],
  }
}

/**
 * The amount that a write of this row counts towards; null when the caller has no limit. Callers with the
 * full capability have none, and neither do reporters who may also write sessions.
 */
export const ownLoreAt = (
  snapshot: Snapshot,
  row: Pick<Route, 'capability'>,
  caller: Caller,
): OwnLore | null => {
  if (ownScopeAt(snapshot, caller) !== null) return loreOf(snapshot, caller, 'player.write.own')
  const isReport = row.capability === 'session.report' && isOwnWrite(row, caller)
  return isReport ? loreOf(snapshot, caller, 'session.report') : null
}
