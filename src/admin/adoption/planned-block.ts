import type { EntityType } from '#protocol/atoms/vocabulary.js'
import type { Finding } from '#src/lore/finding.js'
import type { LegacyRow } from '../legacy/registry-row.js'

/** A block that adoption would write where none stands yet. */
export interface PlannedBlock {
  readonly type: EntityType
  readonly heading: string
  readonly text: string
  readonly findings: ReadonlyArray<Finding>
}

/** A row that no registry file holds: from the roster, or made of it. */
export const madeRow = (tag: string, value: string, place: Pick<LegacyRow, 'path' | 'line'>): LegacyRow => ({
  tag,
  value,
  range: { from: null, to: null },
  from: '',
  to: '',
  path: place.path,
  line: place.line,
})
