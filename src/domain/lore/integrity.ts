import type { IntegrityFinding } from '#protocol/finding.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { redactCredentials } from '#src/domain/redaction/scrub.js'
import type { Finding } from './finding.js'

const severities = { error: 'Error', warning: 'Warning', info: 'Info' } as const

const orNull = (text: string | null): string | null => (text === null ? null : redactCredentials(text))

/**
 * A finding as `kronika doctor` prints it and the integrity routes serve it (A 2.3). All findings leave the
 * daemon through this function, which removes credentials that the quoted line holds (ADR 1023).
 */
export const integrityOf = perValue(
  (finding: Finding): IntegrityFinding => ({
    Kind: finding.kind,
    Severity: severities[finding.severity],
    Subject: orNull(finding.subject),
    Detail: redactCredentials(finding.reason),
    File: finding.file,
    Line: finding.line,
    Suggestion: orNull(finding.suggestion),
  }),
)
