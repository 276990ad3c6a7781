import type { Day } from '#protocol/atoms/day.js'
import type { Instant } from '#protocol/atoms/instant.js'
import type { LedgerFinding } from '#protocol/ledger/answers.js'
import type { ClaimLint, ConvergeLint, LintFinding } from '#protocol/places/lint.js'
import type { Entities } from '#src/entities/entity.js'
import type { Ledger } from '#src/ledger/transition.js'
import { perValue } from '#src/lore/per-value.js'
import { claimStats, indexLint } from './index-lint.js'

/** What the lint reads of a snapshot. */
export interface Linted {
  readonly entities: Entities
  readonly ledger: Ledger
  readonly day: Day
}

/** The file that new blocks go to; the lint walks every index file. */
const indexFile = 'encje/indeks.md'

const ofLedger = ({ kind, subject, reason, file }: LedgerFinding): LintFinding => ({
  kind,
  severity: 'error',
  entity: subject,
  reason,
  files: [file],
})

const statsOf = (findings: ReadonlyArray<LintFinding>): ConvergeLint['stats'] => {
  const errors = findings.filter(finding => finding.severity === 'error').length
  return { errors, warnings: findings.length - errors, total: findings.length }
}

const statsOfClaims = perValue(claimStats)

const answer = (
  entities: Entities,
  findings: ReadonlyArray<LintFinding>,
  convergeLint: ConvergeLint,
): ClaimLint => ({
  file: indexFile,
  findingCount: findings.length,
  findings,
  stats: statsOfClaims(entities),
  convergeLint,
})

const run = perValue((linted: Linted) => {
  const index = indexLint(linted.entities, linted.day)
  return { index, all: [...index, ...linted.ledger.findings.map(ofLedger)] }
})

/**
 * The lint run now, once per snapshot: `convergeLint.findings` are those of the index and, at error, the
 * ledger's.
 */
export const freshLint = (linted: Linted, at: Instant): ClaimLint => {
  const { index, all } = run(linted)
  return answer(linted.entities, index, { at, stats: statsOf(all), findings: all, fresh: true })
}

/** A plain read where no converge has left a recording: nothing is known, and that is said (A 4.8). */
export const unrecordedLint = (entities: Entities): ClaimLint =>
  answer(entities, [], { at: null, sha: null, stats: statsOf([]), findings: [], fresh: false })
