import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { capabilities, Instant, isCapabilityId, nameKey, requirePath } from '#protocol/atoms.js'
import { type Finding, firstFindings } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { storeFinding } from '#src/domain/people/contributor-findings.js'
import type { People, Roster } from '#src/domain/people/roster.js'
import { readCommittedJson } from './committed-json.js'
import { type Grant, type RolesTable, ungrantable } from './grade.js'

export const grantsPath = requirePath('.svc/grants.json')

const StoredGrant = t.readonly(
  t.type({ gameId: t.string, capability: t.string, since: Instant, by: t.string }),
  'StoredGrant',
)
export type StoredGrant = t.TypeOf<typeof StoredGrant>

export interface Grants {
  /** All grants of the file; null when the file cannot be read, so that no write replaces it. */
  readonly stored: ReadonlyArray<StoredGrant> | null
  readonly byGameId: ReadonlyMap<string, ReadonlySet<Grant>>
  /** Fields beside the list that this daemon does not know; a write keeps them. */
  readonly head: Readonly<Record<string, unknown>>
  readonly findings: ReadonlyArray<Finding>
}

/** The capabilities granted to each game id. A capability that cannot be granted gives nothing. */
export const grantsByGameId = (
  stored: ReadonlyArray<StoredGrant>,
): ReadonlyMap<string, ReadonlySet<Grant>> => {
  const byGameId = new Map<string, Set<Grant>>()
  for (const { gameId, capability } of stored) {
    if (!isGrant(capability)) continue
    const held = byGameId.get(gameId) ?? new Set<Grant>()
    byGameId.set(gameId, held.add(capability))
  }
  return byGameId
}

/** The grants of the committed file. An unreadable file grants nothing and is a finding. */
export const grantsOf = (file: SourceFile | null): Grants => {
  if (file === null) return none
  const read = readCommittedJson(file, GrantsFile, form)
  if (isLeft(read)) return { ...none, stored: null, findings: [unreadable(file, read.left)] }
  const { grants, ...head } = read.right
  const unknown = grants.filter(one => !isGrant(one.capability))
  const findings = firstFindings(unknown, one => unknownCapability(file, one))
  return { stored: grants, byGameId: grantsByGameId(grants), head, findings }
}

/**
 * Whether a bundle or a grant may contain the text: a listed id or the `.all` of a listed resource (A 5,
 * docs/spec/rights.md#a-5-5).
 */
export const isGrant = (text: string): text is Grant =>
  !ungrantable.has(text) &&
  (isCapabilityId(text) || (text.endsWith('.all') && resources.has(text.slice(0, -'.all'.length))))

/**
 * All findings about the store: those of the parser, then those that depend on the roles table and the day.
 */
export const contributorIntegrity = (
  people: People,
  roster: Roster,
  roles: RolesTable,
): ReadonlyArray<Finding> => [...people.findings, ...unknownRoles(people, roles), ...missingChats(roster)]

/** `.svc/grants.json` (D40): capabilities given to a game id beside its roles, in order of creation. */
const GrantsFile = t.type({ grants: t.readonlyArray(StoredGrant) }, 'GrantsFile')

const none: Grants = { stored: [], byGameId: new Map(), head: {}, findings: [] }

const form = '{"grants": [{"gameId", "capability", "since", "by"}]}'

const unreadable = (file: SourceFile, fault: string): Finding => ({
  kind: 'GrantsUnreadable',
  severity: 'error',
  file: file.path,
  line: null,
  subject: null,
  reason: `Plik nadań ${fault}; żadne nadanie nie działa.`,
  suggestion: 'Popraw plik albo przywróć jego poprzednią wersję.',
})

const unknownCapability = (file: SourceFile, { gameId, capability }: StoredGrant): Finding => ({
  kind: 'UnknownCapability',
  severity: 'warning',
  file: file.path,
  line: null,
  subject: capability,
  reason: `Nadanie dla ${gameId} zawiera uprawnienie, którego nie można nadać; jest ono pomijane.`,
  suggestion: 'Listę uprawnień podaje GET /schema.',
})

const resources: ReadonlySet<string> = new Set(capabilities.map(id => id.slice(0, id.indexOf('.'))))

const unknownRoles = (people: People, roles: RolesTable): ReadonlyArray<Finding> =>
  people.all.flatMap(person =>
    person.rows
      .filter(row => row.tag === 'rola' && row.value !== '' && !roles.bundles.has(nameKey(row.value)))
      .map(row => storeFinding('UnknownRole', person.file, row.line, person.name, `${row.value}: `)),
  )

const missingChats = (roster: Roster): ReadonlyArray<Finding> =>
  roster.listed
    .filter(one => one.chat.state === 'missing')
    .map(({ person }) => storeFinding('MissingChat', person.file, person.line, person.name))
