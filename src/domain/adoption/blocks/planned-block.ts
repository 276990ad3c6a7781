import type { EntityType, RepoPath } from '#protocol/atoms.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { findingOfNotice } from '../legacy/noticed.js'
import type { LegacyRow } from '../legacy/registry-row.js'

/** A block that adoption writes unless it exists. */
export interface PlannedBlock {
  readonly type: EntityType
  readonly heading: string
  readonly text: string
  /** The place of the source in the legacy layout. */
  readonly path: RepoPath
  readonly line: number
  readonly findings: ReadonlyArray<Finding>
}

/** A row that no registry file contains: from the roster, or derived from it. */
export const makeRow = (tag: string, value: string, place: Pick<LegacyRow, 'path' | 'line'>): LegacyRow => ({
  tag,
  value,
  range: { from: null, to: null },
  from: '',
  to: '',
  path: place.path,
  line: place.line,
})

/**
 * The finding for an existing block that adoption kept, with the lines of the planned block that it lacks.
 */
export const omissionFindings = (block: PlannedBlock, standing: string): ReadonlyArray<Finding> => {
  const there = new Set(standing.split('\n').map(line => line.trim()))
  const missing = block.text.split('\n').filter(line => !there.has(line.trim()))
  if (missing.length === 0) return []
  return [
    findingOfNotice({
      kind: 'BlockKept',
      severity: 'warning',
      file: block.path,
      line: block.line,
      subject: block.heading,
      reason: `The block ${block.heading} existed before and was kept; not adopted: ${missing.join(' | ')}`,
      suggestion: 'Add what is missing to the block by hand.',
    }),
  ]
}
