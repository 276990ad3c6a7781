import { type NameKey, nameKey } from '#protocol/atoms.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { findingOfNotice } from './legacy/noticed.js'
import type { LegacyEntity } from './legacy/registry.js'
import { type LegacyRow, quoteRow } from './legacy/registry-row.js'

/** Places with their `@zawiera` rows turned into `@lokacja` rows of the children. */
export interface Contained {
  readonly entities: ReadonlyArray<LegacyEntity>
  readonly findings: ReadonlyArray<Finding>
}

/** The place that a `@lokacja` names: the last segment of a slash path. */
const leaf = (value: string): NameKey => nameKey(value.slice(value.lastIndexOf('/') + 1))

const placesByName = (entities: ReadonlyArray<LegacyEntity>): ReadonlyMap<NameKey, LegacyEntity> => {
  const places = new Map<NameKey, LegacyEntity>()
  for (const place of entities.filter(entity => entity.type === 'Lokacja')) {
    for (const row of place.rows)
      if (row.tag === 'alias' && !places.has(nameKey(row.value))) places.set(nameKey(row.value), place)
  }
  for (const place of entities.filter(entity => entity.type === 'Lokacja'))
    places.set(nameKey(place.name), place)
  return places
}

interface Verdict {
  readonly keep: boolean
  readonly given: LegacyRow | null
  readonly finding: Finding | null
}

const verdictOf = (
  parent: LegacyEntity,
  row: LegacyRow,
  child: LegacyEntity | undefined,
  parents: ReadonlyArray<LegacyRow>,
): Verdict => {
  const at = { file: row.path, line: row.line, subject: parent.name } as const
  if (child === undefined || child === parent) {
    const reason = `@zawiera ${quoteRow(row)} of ${parent.name} names no other place; the row was kept.`
    const name = row.value.slice(row.value.lastIndexOf('/') + 1).trim()
    const missing = { name, type: 'Lokacja' } as const
    return {
      keep: true,
      given: null,
      finding: findingOfNotice({ ...at, kind: 'ContainsUnknown', severity: 'info', reason, missing }),
    }
  }
  if (parents.length === 0)
    return { keep: false, given: { ...row, tag: 'lokacja', value: parent.name }, finding: null }
  if (parents.some(known => leaf(known.value) === nameKey(parent.name)))
    return { keep: false, given: null, finding: null }
  const said = parents.map(quoteRow).join(', ')
  const claim = `@zawiera ${quoteRow(row)} of ${parent.name}`
  const reason = `${claim} contradicts the @lokacja ${said} of ${child.name}; it was not adopted.`
  return {
    keep: false,
    given: null,
    finding: findingOfNotice({ ...at, kind: 'ContainsContradicted', severity: 'warning', reason }),
  }
}

/**
 * Turns `@zawiera` into the child's `@lokacja` when the child has none (FORMATS 10). Otherwise drops the row,
 * with a finding when the two differ. A row that names no place is kept, with a finding. The first parent
 * that claims a child gets it.
 */
export const containmentOf = (entities: ReadonlyArray<LegacyEntity>): Contained => {
  const places = placesByName(entities)
  const given = new Map<LegacyEntity, Array<LegacyRow>>()
  const dropped = new Set<LegacyRow>()
  const findings: Array<Finding> = []
  for (const parent of entities.filter(entity => entity.type === 'Lokacja')) {
    for (const row of parent.rows.filter(one => one.tag === 'zawiera')) {
      const child = places.get(leaf(row.value))
      const extra = child === undefined ? [] : (given.get(child) ?? [])
      const own = (child?.rows ?? []).filter(one => one.tag === 'lokacja')
      const verdict = verdictOf(parent, row, child, [...own, ...extra])
      if (!verdict.keep) dropped.add(row)
      if (verdict.given !== null && child !== undefined) given.set(child, [...extra, verdict.given])
      if (verdict.finding !== null) findings.push(verdict.finding)
    }
  }
  return {
    entities: entities.map(entity => ({
      ...entity,
      rows: [...entity.rows.filter(row => !dropped.has(row)), ...(given.get(entity) ?? [])],
    })),
    findings,
  }
}
