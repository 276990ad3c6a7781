import type { IntegrityFinding } from '#protocol/finding.js'
import type { Finding } from './finding.js'

const severities = { error: 'Error', warning: 'Warning', info: 'Info' } as const

/** A finding as the integrity routes serve it (A 2.3). */
export const integrityOf = (finding: Finding): IntegrityFinding => ({
  Kind: finding.kind,
  Severity: severities[finding.severity],
  Subject: finding.subject,
  Detail: finding.reason,
  File: finding.file,
  Line: finding.line,
  Suggestion: finding.suggestion,
})
