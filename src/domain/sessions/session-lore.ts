import type { Day } from '#protocol/atoms/day.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import type { NameIndex } from '#src/domain/names/resolution.js'
import type { CloseLedger, Sessions } from './session.js'

/** What reads of sessions are a function of. A snapshot has all of it; what is made of one is kept as long as it is. */
export interface SessionLore {
  readonly day: Day
  readonly files: ReadonlyMap<string, SourceFile>
  readonly names: NameIndex
  readonly sessions: Sessions
  readonly closeLedger: CloseLedger
  /** Findings of files that no area owns, those of effects among them. */
  readonly findings: ReadonlyArray<Finding>
}
