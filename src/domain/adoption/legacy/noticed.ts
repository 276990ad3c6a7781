import type { RepoPath } from '#protocol/atoms.js'
import type { Finding, Severity } from '#src/domain/lore/finding.js'
import { redactWebhooks } from './secret.js'

/**
 * A finding of a legacy parser or a step of adoption before redaction. `kind` is PascalCase, except
 * `pu-niespójne`.
 */
export interface LegacyNotice {
  readonly kind: string
  readonly severity: Severity
  readonly file: RepoPath
  readonly line: number | null
  readonly subject?: string
  readonly reason: string
  readonly suggestion?: string
  readonly missing?: Finding['missing']
}

/** The finding with every text redacted, because a report is answered and logged. */
export const findingOfNotice = (noticed: LegacyNotice): Finding => ({
  kind: noticed.kind,
  severity: noticed.severity,
  file: noticed.file,
  line: noticed.line,
  subject: noticed.subject === undefined ? null : redactWebhooks(noticed.subject),
  reason: redactWebhooks(noticed.reason),
  suggestion: noticed.suggestion === undefined ? null : redactWebhooks(noticed.suggestion),
  ...(noticed.missing === undefined ? {} : { missing: noticed.missing }),
})
