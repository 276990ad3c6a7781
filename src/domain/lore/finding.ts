import type { EntityType, RepoPath } from '#protocol/atoms.js'

export type Severity = 'error' | 'warning' | 'info'

/**
 * A problem that a parser or a check reports without throwing. Every finding has a place that a person can
 * open and says what to do. `kind` is a kind of A 2.5 where one fits, else PascalCase. `reason` and
 * `suggestion` are Polish where a lore keeper reads them, English in findings of the configuration and of
 * adoption (ADR 1031).
 */
export interface Finding {
  readonly kind: string
  readonly severity: Severity
  readonly file: RepoPath
  /** Counted from 1; null when the finding concerns the whole file. */
  readonly line: number | null
  /** The heading, header or name that the finding concerns; null for the whole file. */
  readonly subject: string | null
  readonly reason: string
  readonly suggestion: string | null
  /**
   * The name that no block has, and the type that it should have (null: any). Adoption and `kronika doctor`
   * list the nearest names.
   */
  readonly missing?: { readonly name: string; readonly type: EntityType | null }
}
