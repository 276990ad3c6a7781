import type { Day } from '#protocol/atoms/day.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import type { NameIndex } from '#src/domain/names/resolution.js'
import type { CloseLedger, Sessions } from './session.js'

/**
 * The inputs of every read of sessions. A snapshot has all of them; values derived from one are cached as
 * long as it lives.
 */
export interface SessionLore {
  readonly day: Day
  readonly files: ReadonlyMap<string, SourceFile>
  readonly names: NameIndex
  readonly sessions: Sessions
  readonly closeLedger: CloseLedger
  /** Findings of files that no area owns, including those of effects. */
  readonly findings: ReadonlyArray<Finding>
}
