import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import type { FoldingLore } from './reading/spellings.js'
import type { CloseLedger } from './session.js'

/**
 * The inputs of every read of sessions. A snapshot has all of them; values derived from one are cached as
 * long as it lives.
 */
export interface SessionLore extends FoldingLore {
  readonly files: ReadonlyMap<string, SourceFile>
  readonly closeLedger: CloseLedger
  /** Findings of files that no area owns, including those of effects. */
  readonly findings: ReadonlyArray<Finding>
}
