import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type NameKey, nameKey, requirePath } from '#protocol/atoms.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { firstFindings } from '#src/domain/lore/first-findings.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { readCommittedJson } from '../committed-json.js'
import { bundles } from './bundles.js'
import { isGrant } from './grantable.js'
import type { Grant, RolesTable } from './roles.js'

export const rolesPath = requirePath('.svc/roles.json')

const Stored = t.type({ roles: t.record(t.string, t.readonlyArray(t.string)) }, 'RolesFile')

/** The bundles of a host whose repository has no roles table. */
export const builtInRoles: RolesTable = {
  source: 'default',
  bundles: new Map(Object.entries(bundles).map(([role, ids]) => [nameKey(role), ids] as const)),
  findings: [],
}

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
