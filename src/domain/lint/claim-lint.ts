import type { Day, Instant } from '#protocol/atoms.js'
import type { LedgerFinding } from '#protocol/lore/ledger.js'
import { type ClaimLint, type ConvergeLint, type LintFinding, lintKinds } from '#protocol/lore/places.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { View } from '#src/domain/callers/caller.js'
import type { Entities } from '#src/domain/entities/entity.js'
import type { Ledger } from '#src/domain/ledger/calendar.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { redactCredentials } from '#src/domain/redaction/scrub.js'
import { readingKind } from '#src/domain/sessions/former-sessions.js'
import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'
import { claimStats, lintIndexInSlices } from './index-lint.js'

/** The parts of a snapshot that the lint reads. */
export interface Linted {
  readonly entities: Entities
  readonly ledger: Ledger
  readonly day: Day
}

/** A finding about a whole file, as the record of the lint has it. */
export const lintFindingOf = ({ kind, severity, subject, reason, file }: Finding): LintFinding => ({
  kind,
  severity: severity === 'error' ? severity : 'warning',
  entity: subject,
  reason,
  files: [file],
})

/**
 * The answer of a lint that runs now, without pauses; the result is cached for the `linted` object.
 * `findings` are those of the index. `convergeLint.findings` add those of the ledger, as errors. Findings
 * about foreign changes are not included, because only a converge knows them.
 */
export const freshLintAnswer = (linted: Linted, at: Instant): ClaimLint => {
  const { index, all } = runLint(linted)
  return answer(linted.entities, index, { at, stats: statsOf(all), findings: all, fresh: true })
}

/**
 * Builds the record of the lint that a converge stores: the findings of index and ledger, then `besides`,
 * which only a converge knows: changes that came from other hosts (D35), and the file of the fleet. Runs in
 * slices, because no caller waits for it. Stores nothing.
 */
export const buildLintRecord = function* (
  linted: Linted,
  besides: ReadonlyArray<LintFinding>,
  at: Instant,
  sha: string | null,
): Sliced<ConvergeLint> {
  const findings = [...(yield* runLintInSlices(linted)).all, ...besides]
  return { at, sha, stats: statsOf(findings), findings, fresh: false }
}

/**
 * The answer from the record of the last converge; runs no lint. `findings` are those of `lintKinds`, which
 * include foreign changes; `convergeLint` has those of the ledger too, and those of settled sessions, which only
 * readers of sessions see. `stats` are counted from the given entities, not from those of the record. Null: no
 * converge has recorded a lint, so there are no findings (A 4.8).
 */
export const lintAnswerOfRecord = (
  entities: Entities,
  recorded: ConvergeLint | null,
  { sessions }: Pick<View, 'sessions'>,
): ClaimLint => {
  const findings = (recorded?.findings ?? []).filter(({ kind }) => sessions || kind !== readingKind)
  const ofIndex = findings.filter(({ kind }) => Object.hasOwn(lintKinds, kind))
  const none = { at: null, sha: null, fresh: false }
  return answer(entities, ofIndex, { ...(recorded ?? none), findings, stats: statsOf(findings) })
}

/** The file of new blocks, as the answer names it; the lint walks every index file. */
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

interface Found {
  readonly index: ReadonlyArray<LintFinding>
  readonly all: ReadonlyArray<LintFinding>
}

/** The finding without credentials, as every finding that leaves the process (ADR 1023). */
const scrubFinding = (finding: LintFinding): LintFinding => ({
  ...finding,
  entity: finding.entity === null ? null : redactCredentials(finding.entity),
  reason: redactCredentials(finding.reason),
  ...(finding.values === undefined ? {} : { values: finding.values.map(redactCredentials) }),
})

const runLintInSlices = function* (linted: Linted): Sliced<Found> {
  const index = (yield* lintIndexInSlices(linted.entities, linted.day)).map(scrubFinding)
  return { index, all: [...index, ...linted.ledger.findings.map(ofLedger).map(scrubFinding)] }
}

const runLint = perValue((linted: Linted) => atOnce(runLintInSlices(linted)))
