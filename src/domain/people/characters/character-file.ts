import type { NameKey, RepoPath } from '#protocol/atoms.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { DescribedSession } from './described-session.js'

export interface ReputationEntry {
  readonly location: string
  readonly detail: string | null
}

/** A file `Postaci/Gracze/<Postać>.md` (FORMATS 3). Null: the section is absent or empty. */
export interface CharacterFile {
  readonly name: string
  readonly key: NameKey
  readonly path: RepoPath
  readonly sheet: string | null
  readonly restrictedTopics: string | null
  readonly condition: string | null
  readonly specialItems: ReadonlyArray<string>
  readonly reputation: {
    readonly positive: ReadonlyArray<ReputationEntry>
    readonly neutral: ReadonlyArray<ReputationEntry>
    readonly negative: ReadonlyArray<ReputationEntry>
  }
  /** Entries of `Dodatkowe informacje`, continuation lines joined by a newline. */
  readonly additionalInfo: ReadonlyArray<string>
  readonly describedSessions: ReadonlyArray<DescribedSession>
  readonly findings: ReadonlyArray<Finding>
  /**
   * The same file for callers who may not read restricted topics; present only when topics occur outside
   * their section. It has no findings.
   */
  readonly open?: CharacterFile
}
