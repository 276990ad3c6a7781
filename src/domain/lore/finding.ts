import type { RepoPath } from '#protocol/atoms/path.js'
import type { EntityType } from '#protocol/atoms/vocabulary.js'

export type Severity = 'error' | 'warning' | 'info'

/**
 * What a reader noticed and did not throw for: every finding has a place that a person can open, and what to
 * do. `kind` is a kind of A 2.5 where one fits, else PascalCase. `reason` and `suggestion` are Polish where a
 * lore keeper reads them, English in findings of the configuration and of adoption (ADR 1031).
 */
export interface Finding {
  readonly kind: string
  readonly severity: Severity
  readonly file: RepoPath
  /** Counted from 1; null when the finding is of the whole file. */
  readonly line: number | null
  /** The heading, header or name it is about; null when of the whole file. */
  readonly subject: string | null
  readonly reason: string
  readonly suggestion: string | null
  /**
   * The name that no block answers to, and the type that it should have, null for any: adoption and `kronika doctor`
   * list the nearest names.
   */
  readonly missing?: { readonly name: string; readonly type: EntityType | null }
}
