import { isLeft } from 'fp-ts/lib/Either.js'
import { RepoPath, requirePath } from '#protocol/atoms.js'
import type { IntegrityFinding } from '#protocol/finding.js'
import type { Window, Windowed } from '#protocol/list.js'
import type { LedgerFinding } from '#protocol/lore/ledger.js'
import type { View } from '#src/domain/callers/caller.js'
import { configPath, readSchedules } from '#src/domain/config/schedules.js'
import { findSessionLines } from '#src/domain/entities/entity.js'
import { placesOn } from '#src/domain/entities/places.js'
import { findingsOfTopology } from '#src/domain/fleet/role.js'
import { topologyPath } from '#src/domain/fleet/topology.js'
import { contributorIntegrity } from '#src/domain/identity/grants.js'
import { permissionsPath, readPermissions } from '#src/domain/identity/permissions.js'
import { type FindingsRow, findingsRowOf, seesFindingsOf } from '#src/domain/identity/readable.js'
import { renderPageInSlices } from '#src/domain/json/json-bytes.js'
import { unknownHeadings } from '#src/domain/language/unknown-headings.js'
import { credentialFindings } from '#src/domain/lint/credentials.js'
import { indexLint } from '#src/domain/lint/index-lint.js'
import { integrityOfEntities } from '#src/domain/lint/integrity-of.js'
import { reconcileMoney } from '#src/domain/lint/reconciliation.js'
import { blocksElsewhere, residueInSlices, residueOfCharacterFiles } from '#src/domain/lint/residue.js'
import { type Finding, integrityOf, withholdLine } from '#src/domain/lore/finding.js'
import { type FileRole, roleOf } from '#src/domain/lore/layout.js'
import { linesOf } from '#src/domain/lore/lines.js'
import { mayNameTopics } from '#src/domain/lore/topic-text.js'
import { ownLoreFindings } from '#src/domain/people/own-lore.js'
import { rosterOf } from '#src/domain/people/roster.js'
import { restrictedLinesOf } from '#src/domain/people/visible-document.js'
import { traversalOf } from '#src/domain/places/traversal.js'
import { batchFindings } from '#src/domain/points/batches.js'
import { formerSessionsInSlices } from '#src/domain/sessions/former-sessions.js'
import { sessionFindings } from '#src/domain/sessions/integrity.js'
import { readReminders, remindersPath } from '#src/domain/sessions/reminders.js'
import { restrictedEntriesOf } from '#src/domain/sessions/session.js'
import { atOnce, forEachNestedInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import { charactersAt } from './own-scope-at.js'
import type { Snapshot } from './snapshot.js'

/** All findings about the committed trees, as `kronika doctor` prints them. */
export const allFindings = (snapshot: Snapshot): ReadonlyArray<Finding> =>
  atOnce(placeFindingsInSlices(snapshot)).map(({ finding }) => finding)

/**
 * The answer of a row that lists findings. Each finding of `allFindings` is in the answer of exactly one row, by
 * its file, and only callers who may read that file see it (docs/spec/lore-format.md#formats-11).
 */
export const findingsPageInSlices = function* (
  row: FindingsRow,
  snapshot: Snapshot,
  view: View,
  window: Window,
): Sliced<Windowed<IntegrityFinding>> {
  const placed = yield* placeFindingsInSlices(snapshot)
  yield
  const sessionLines = new Map<string, ReadonlySet<number>>()
  const isInSession = ({ file, line }: Finding): boolean => {
    if (line === null) return false
    const text = snapshot.files.get(file)?.text ?? ''
    const lines = sessionLines.get(file) ?? findSessionLines(linesOf(text).lines)
    sessionLines.set(file, lines)
    return lines.has(line)
  }
  const shown = placed.flatMap(({ finding, role }) =>
    findingsRowOf(role) === row &&
    seesFindingsOf(row, role, view) &&
    (role !== 'character' || view.sessions || !isInSession(finding))
      ? [finding]
      : [],
  )
  return yield* renderPageInSlices(shown, window, integrityOf)
}

/** A finding with the role of its file, which decides which row lists it and who sees it there. */
interface Placed {
  readonly finding: Finding
  readonly role: FileRole
}

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
  if (format.state === 'Current') return []
  const [reason, suggestion] = formatFindings[format.state]
  return [
    {
      kind: format.state,
      severity: 'warning',
      file: requirePath('.svc/format.json'),
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
  const reported = new Set(known.map(placeOf))
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
    return reported.has(placeOf(finding)) ? [] : [finding]
  })
}

const ofTopology = ({ files }: Snapshot): ReadonlyArray<Finding> => {
  const file = files.get(topologyPath)
  return file === undefined ? [] : findingsOfTopology({ _tag: 'File', file })
}

/** The readers and checks whose findings a snapshot has; sliced work pauses between them. */
const sources: ReadonlyArray<(snapshot: Snapshot) => ReadonlyArray<Finding>> = [
  ofFormat,
  ({ findings }) => findings,
  sessionFindings,
  ({ entities, day }) => integrityOfEntities(entities, day),
  reconcileMoney,
  ({ people, roles, day }) => contributorIntegrity(people, rosterOf(people, day), roles),
  snapshot => ownLoreFindings(snapshot, snapshot.people, charactersAt(snapshot)),
  ({ language, entities }) => [...language.findings, ...unknownHeadings(language, entities)],
  ({ characterFiles }) => [...characterFiles.values()].flatMap(file => file.findings),
  batchFindings,
  ({ players }) => players.findings,
  ({ moves }) => moves.findings,
  ({ files }) => readReminders(files.get(remindersPath) ?? null).findings,
  residueOfCharacterFiles,
  ({ roles, grants, bindings, fleetKeys }) =>
    [roles, grants, bindings, fleetKeys].flatMap(({ findings }) => findings),
  ({ files }) => [
    ...readPermissions(files.get(permissionsPath) ?? null).findings,
    ...readSchedules(files.get(configPath) ?? null).findings,
  ],
  ofTopology,
  ({ entities, sessions, day }) => traversalOf(placesOn(entities, day), sessions).findings,
  ({ files }) => credentialFindings(files),
]

/** The files of other trees stand below the key of their tree. */
const languageFolder = 'corpora.lang/'
const rosterFolder = 'corpora.mc/'

const roleIn = (file: string): FileRole => {
  if (file.startsWith(languageFolder)) return 'language-forms'
  // Only rights are read from the roster of moderators, and no row serves it.
  return file.startsWith(rosterFolder) ? 'fleet-keys' : roleOf(file)
}

/** The residue of every file; blocks outside of their files are no residue where a `@ref` names the file. */
const residueOfFiles = function* ({ files, entities }: Snapshot): Sliced<ReadonlyArray<Finding>> {
  const refs = new Set<string>()
  for (const { rows } of entities.all) for (const { tag, value } of rows) if (tag === 'ref') refs.add(value)
  yield
  const found: Array<Finding> = []
  yield* forEachNestedInSlices(files.values(), function* (file) {
    for (const finding of yield* residueInSlices(file))
      if (finding.kind !== blocksElsewhere || !refs.has(file.path)) found.push(finding)
  })
  return found
}

/** Tells whether a finding is about a line of restricted topics. Looks once at each file with findings. */
const restrictedIn = (
  { files, sessions }: Pick<Snapshot, 'files' | 'sessions'>,
  findings: Iterable<Finding>,
): ((finding: Finding) => boolean) => {
  const lines = new Map<string, Set<number>>()
  for (const path of new Set([...findings].map(({ file }) => file))) {
    const file = files.get(path)
    if (file !== undefined && mayNameTopics(file.text)) lines.set(path, new Set(restrictedLinesOf(file)))
  }
  if (lines.size > 0)
    for (const { copies } of sessions.all)
      for (const copy of copies) {
        const known = lines.get(copy.path)
        if (known !== undefined) for (const line of restrictedEntriesOf(copy)) known.add(line)
      }
  return ({ file, line }) => line !== null && lines.get(file)?.has(line) === true
}

const placed = new WeakMap<Snapshot, ReadonlyArray<Placed>>()

const placeFindingsInSlices = function* (snapshot: Snapshot): Sliced<ReadonlyArray<Placed>> {
  const known = placed.get(snapshot)
  if (known !== undefined) return known
  // Findings of settled sessions and batches need it; read in slices here, it is at hand for them.
  yield* formerSessionsInSlices(snapshot)
  // The list of a snapshot and that of its sessions share findings, so a set removes doubles.
  const read = new Set<Finding>()
  for (const source of sources) {
    for (const finding of source(snapshot)) read.add(finding)
    yield
  }
  for (const finding of yield* residueOfFiles(snapshot)) read.add(finding)
  const restricted = restrictedIn(snapshot, read)
  yield
  const open = [...read].map(finding => (restricted(finding) ? withholdLine(finding) : finding))
  const all = [...open, ...ofLint(snapshot, open)].map(
    (finding): Placed => ({ finding, role: roleIn(finding.file) }),
  )
  // The ledger of offices is public, and its paths are those of the works tree.
  const ofWorks = snapshot.ledger.findings
    .flatMap(ofLedger)
    .map((finding): Placed => ({ finding, role: 'index' }))
  const both = [...all, ...ofWorks]
  placed.set(snapshot, both)
  return both
}
