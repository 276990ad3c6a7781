import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type CapabilityId, type NameKey, nameKey, type RepoPath, requirePath } from '#protocol/atoms.js'
import { type Finding, firstFindings } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { readCommittedJson } from './committed-json.js'
import type { Grant, RolesTable } from './grade.js'
import { type Grants, grantsPath, isGrant } from './grants.js'

export const rolesPath = requirePath('.svc/roles.json')

const gracz = [
  'entity.read',
  'player.read',
  'player.write.own',
  'player.declare.own',
  'pu.read.own',
  'currency.read.own',
  'session.report',
  'identity.read',
  'capability.read',
] as const

const narrator = [
  ...gracz,
  'session.read',
  'session.write',
  'session.close',
  'sample.confirm',
  'entity.write',
  'lore.edit',
  'log.read',
  'log.fetch',
  'pu.read',
  'currency.read',
  'events.subscribe',
  'external.read',
  'player.write',
] as const

const mc = [
  'session.read',
  'log.read',
  'moderation.read',
  'moderation.write',
  'keyring.read',
  'capability.read',
] as const

/** The built-in bundles (D44); adoption seeds `.svc/roles.json` with them. */
export const bundles: Readonly<Record<string, ReadonlyArray<CapabilityId>>> = {
  gracz,
  narrator,
  radny: [
    ...narrator,
    'pu.award',
    'currency.write',
    'governance.read',
    'governance.write',
    'location.override',
    'chat.send',
    'identity.link',
    'moderation.read',
  ],
  it: [
    'entity.read',
    'player.read',
    'session.read',
    'log.read',
    'external.read',
    'events.subscribe',
    'sync.read',
    'identity.read',
    'capability.read',
  ],
  bot: ['entity.read', 'apikey.manage.own', 'identity.read', 'capability.read'],
  mc,
  smc: [...mc, 'moderation.admin', 'keyring.admin', 'regulation.write'],
}

/** The bundles of a host whose repository has no roles table. */
export const builtInRoles: RolesTable = {
  source: 'default',
  bundles: new Map(Object.entries(bundles).map(([role, ids]) => [nameKey(role), ids] as const)),
  findings: [],
}

/**
 * The bundles of `.svc/roles.json`, which replaces the built-in ones (A 5.5); without the file the built-in
 * ones.
 */
export const rolesTableOf = (file: SourceFile | null): RolesTable => {
  if (file === null) return builtInRoles
  const stored = readCommittedJson(file, Stored, '{"roles": {"<rola>": ["<uprawnienie>"]}}')
  if (isLeft(stored)) return unreadable(file, stored.left)
  const read = new Map<NameKey, ReadonlyArray<Grant>>()
  const strays: Array<Stray> = []
  for (const [role, ids] of Object.entries(stored.right.roles)) {
    const key = nameKey(role)
    read.set(key, [...new Set([...(read.get(key) ?? []), ...ids.filter(isGrant)])])
    for (const id of ids.filter(one => !isGrant(one))) strays.push({ role, id })
  }
  return { source: 'committed', bundles: read, findings: strayFindings(file, strays) }
}

/** All ids that the roles give together; a role without a bundle gives none. */
export const holdsOf = (table: RolesTable, roles: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(roles.flatMap(role => table.bundles.get(nameKey(role)) ?? []))

/**
 * The committed file whose state leaves the rights of game ids unknown; null when both are readable. Until it
 * is repaired an id gives nothing, and afterwards it may give anything. Writes with a lasting effect, such as
 * binding an account or issuing a key, must wait until then (ADR 1018).
 */
export const unknownWorth = ({
  roles,
  grants,
}: {
  readonly roles: RolesTable
  readonly grants: Grants
}): RepoPath | null =>
  roles.source === 'unreadable' ? rolesPath : grants.stored === null ? grantsPath : null

const Stored = t.type({ roles: t.record(t.string, t.readonlyArray(t.string)) }, 'RolesFile')

/**
 * A committed table that cannot be read. What it took away is unknown, so no role gives anything (ADR 1018).
 */
const unreadable = (file: SourceFile, fault: string): RolesTable => ({
  source: 'unreadable',
  bundles: new Map(),
  findings: [
    {
      kind: 'RolesUnreadable',
      severity: 'error',
      file: file.path,
      line: null,
      subject: null,
      reason: `Tabela ról ${fault}; żadna rola nie daje uprawnień.`,
      suggestion: 'Popraw plik albo go usuń; bez pliku działają role wbudowane.',
    },
  ],
})

/** An id in a bundle that is no capability. */
interface Stray {
  readonly role: string
  readonly id: string
}

const unknownCapability = (file: SourceFile, { role, id }: Stray, line: number | null): Finding => ({
  kind: 'UnknownCapability',
  severity: 'warning',
  file: file.path,
  line,
  subject: id,
  reason: `Rola „${role}” zawiera uprawnienie, którego nie można nadać; jest ono pomijane.`,
  suggestion: 'Listę uprawnień podaje GET /schema.',
})

/** Finds the lines of ids. Calls must come in the order of the text, so that its lines are counted once. */
const linesInOrder = (text: string): ((id: string) => number | null) => {
  let [counted, line] = [0, 1]
  return id => {
    const at = text.indexOf(JSON.stringify(id), counted)
    if (at < 0) return null
    for (let end = text.indexOf('\n', counted); end >= 0 && end < at; end = text.indexOf('\n', end + 1))
      line += 1
    counted = at + 1
    return line
  }
}

const strayFindings = (file: SourceFile, strays: ReadonlyArray<Stray>): ReadonlyArray<Finding> => {
  const lineOf = linesInOrder(file.text)
  return firstFindings(strays, stray => unknownCapability(file, stray, lineOf(stray.id)))
}
