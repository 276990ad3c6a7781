import * as t from 'io-ts'
import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import { committedJson } from '#src/identity/committed-json.js'
import type { Finding, Severity } from '#src/lore/finding.js'
import type { SourceFile } from '#src/lore/source-file.js'
import { bundles } from './bundles.js'
import { isGrant } from './grantable.js'
import type { Grant, RolesTable } from './roles.js'

const Stored = t.type({ roles: t.record(t.string, t.readonlyArray(t.string)) }, 'RolesFile')

/** The bundles of a host whose repository has no roles table. */
export const builtInRoles: RolesTable = {
  source: 'default',
  bundles: new Map(Object.entries(bundles).map(([role, ids]) => [nameKey(role), ids] as const)),
  findings: [],
}

const finding = (
  file: SourceFile,
  kind: string,
  severity: Severity,
  subject: string | null,
  reason: string,
  suggestion: string,
): Finding => {
  const at = subject === null ? -1 : file.text.indexOf(JSON.stringify(subject))
  const line = at < 0 ? null : file.text.slice(0, at).split('\n').length
  return { kind, severity, file: file.path, line, subject, reason, suggestion }
}

const unreadable = (file: SourceFile): RolesTable => ({
  ...builtInRoles,
  findings: [
    finding(
      file,
      'RolesUnreadable',
      'error',
      null,
      'Tabela ról nie ma postaci {"roles": {"<rola>": ["<uprawnienie>"]}}; działają role wbudowane.',
      'Popraw plik albo go usuń.',
    ),
  ],
})

const unknownCapability = (file: SourceFile, role: string, id: string): Finding =>
  finding(
    file,
    'UnknownCapability',
    'warning',
    id,
    `Rola „${role}” podaje uprawnienie, którego nie można nadać; jest ono pomijane.`,
    'Listę uprawnień podaje GET /schema.',
  )

/** `.svc/roles.json`, which replaces the built-in bundles (A 5.5); these stand in where it is absent or unreadable. */
export const rolesTableOf = (file: SourceFile | null): RolesTable => {
  if (file === null) return builtInRoles
  const stored = committedJson(file, Stored)
  if (stored === null) return unreadable(file)
  const read = new Map<NameKey, ReadonlyArray<Grant>>()
  const findings: Array<Finding> = []
  for (const [role, ids] of Object.entries(stored.roles)) {
    const key = nameKey(role)
    read.set(key, [...new Set([...(read.get(key) ?? []), ...ids.filter(isGrant)])])
    for (const id of ids.filter(one => !isGrant(one))) findings.push(unknownCapability(file, role, id))
  }
  return { source: 'committed', bundles: read, findings }
}

/** Ids that the roles named give together; a role without a bundle gives nothing. */
export const holdsOf = (table: RolesTable, roles: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(roles.flatMap(role => table.bundles.get(nameKey(role)) ?? []))
