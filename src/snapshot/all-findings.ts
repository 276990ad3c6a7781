import { isLeft } from 'fp-ts/lib/Either.js'
import { RepoPath } from '#protocol/atoms/path.js'
import type { LedgerFinding } from '#protocol/ledger/answers.js'
import { configPath, readSchedules } from '#src/domain/config/schedules.js'
import { placesOn } from '#src/domain/entities/places/places.js'
import { permissionsPath, readPermissions } from '#src/domain/identity/permissions.js'
import { contributorIntegrity } from '#src/domain/identity/rights/contributor-integrity.js'
import { unknownHeadings } from '#src/domain/language/unknown-headings.js'
import { credentialFindings } from '#src/domain/lint/credentials.js'
import { indexLint } from '#src/domain/lint/index-lint.js'
import { integrityOfEntities } from '#src/domain/lint/integrity-of.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { charactersOf } from '#src/domain/people/characters/characters.js'
import { ownLoreFindings } from '#src/domain/people/own-lore-findings.js'
import { rosterOf } from '#src/domain/people/store/roster.js'
import { traversalOf } from '#src/domain/places/traversal.js'
import { sessionFindings } from '#src/domain/sessions/integrity.js'
import type { Snapshot } from './snapshot.js'

const ofLedger = (finding: LedgerFinding): ReadonlyArray<Finding> => {
  const file = RepoPath.decode(finding.file)
  if (isLeft(file)) return []
  const { kind, severity, line, subject, reason } = finding
  return [{ kind, severity, file: file.right, line, subject, reason, suggestion: null }]
}

const formatFindings = {
  SchemaTooOld: [
    'Repozytorium nie ma formatu 2, więc host udostępnia je tylko do odczytu.',
    'Uruchom „kronika adopt”.',
  ],
  SchemaTooNew: [
    'Repozytorium zapisał nowszy program, więc host udostępnia je tylko do odczytu.',
    'Zaktualizuj program na tym hoście.',
  ],
} as const

const ofFormat = ({ format }: Snapshot): ReadonlyArray<Finding> => {
  const file = RepoPath.decode('.svc/format.json')
  if (format.state === 'Current' || isLeft(file)) return []
  const [reason, suggestion] = formatFindings[format.state]
  return [
    {
      kind: format.state,
      severity: 'warning',
      file: file.right,
      line: null,
      subject: null,
      reason,
      suggestion,
    },
  ]
}

const placeOf = (finding: Finding): string => `${finding.kind}\0${finding.subject ?? ''}`

/**
 * Findings of the claim lint that no reader reports already; each names the first file of the lint finding.
 */
const ofLint = (snapshot: Snapshot, known: ReadonlyArray<Finding>): ReadonlyArray<Finding> => {
  const told = new Set(known.map(placeOf))
  return indexLint(snapshot.entities, snapshot.day).flatMap(found => {
    const file = RepoPath.decode(found.files?.[0] ?? snapshot.entities.all[0]?.file)
    if (isLeft(file)) return []
    const { kind, severity, entity, reason } = found
    const finding = {
      kind,
      severity,
      file: file.right,
      line: null,
      subject: entity,
      reason,
      suggestion: null,
    }
    return told.has(placeOf(finding)) ? [] : [finding]
  })
}

/** All findings about the committed trees, as `kronika doctor` prints them. */
export const allFindings = (snapshot: Snapshot): ReadonlyArray<Finding> => {
  const read = [
    ...ofFormat(snapshot),
    // Both lists report what closed sessions could not do, so the set removes doubles.
    ...new Set([...snapshot.findings, ...sessionFindings(snapshot)]),
    ...integrityOfEntities(snapshot.entities, snapshot.day),
    ...contributorIntegrity(snapshot.people, rosterOf(snapshot.people, snapshot.day), snapshot.roles),
    ...ownLoreFindings(
      snapshot,
      snapshot.people,
      charactersOf(snapshot.entities, snapshot.people, snapshot.day),
    ),
    ...snapshot.moderators.findings,
    ...snapshot.language.findings,
    ...unknownHeadings(snapshot.language, snapshot.entities),
    ...[...snapshot.characterFiles.values()].flatMap(file => file.findings),
    ...snapshot.batches.findings,
    ...snapshot.players.findings,
    ...snapshot.roles.findings,
    ...snapshot.grants.findings,
    ...snapshot.bindings.findings,
    ...snapshot.fleetKeys.findings,
    ...readPermissions(snapshot.files.get(permissionsPath) ?? null).findings,
    ...readSchedules(snapshot.files.get(configPath) ?? null).findings,
    ...traversalOf(placesOn(snapshot.entities, snapshot.day), snapshot.sessions).findings,
    ...snapshot.ledger.findings.flatMap(ofLedger),
    ...credentialFindings(snapshot.files),
  ]
  return [...read, ...ofLint(snapshot, read)]
}
