import { type EntityType, type NameKey, nameKey } from '#protocol/atoms.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { findRecorded, wasEver } from '#src/domain/entities/reading.js'
import { recordsOfKey } from '#src/domain/sessions/closed-sessions.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { aType } from '../article.js'

const isOther = (entity: Entity, than: Entity | null): boolean => entity !== than

/**
 * A block of the type that already has a name, by heading or by another spelling, other than `than`; null
 * when there is none.
 */
export const bearerOf = (
  entities: Entities,
  key: NameKey,
  type: EntityType,
  than: Entity | null = null,
): Entity | null => {
  const all = [...(entities.byHeading.get(key) ?? []), ...(entities.byAlias.get(key) ?? [])]
  return all.find(one => one.type === type && isOther(one, than)) ?? null
}

/** The refusal of a name that the given block has already. */
export const nameTaken = (name: string, { name: heading, type }: Entity): RefusalOf<'NameTaken'> => {
  const how = nameKey(name) === nameKey(heading) ? '' : ` as another spelling of "${heading}"`
  return refuse('NameTaken', `${aType(type)} already has the name "${name}"${how}. Choose another name.`, {
    name,
    type,
  })
}

/** A block as a write would leave it: the type that it gets, and its present entity; null for a new block. */
export interface Claimant {
  readonly type: EntityType
  readonly entity: Entity | null
}

/**
 * Refuses a name by which a closed session means another block, or one that no longer exists: `findRecorded`
 * would then find the claimant, and the effects of the session would change hands (D61). A homonym of a type
 * that was never recorded is allowed.
 */
export const recordTaken = (
  { entities, closeLedger }: Pick<Snapshot, 'entities' | 'closeLedger'>,
  names: ReadonlyArray<string>,
  { type, entity }: Claimant,
): RefusalOf<'NameTaken'> | null => {
  for (const name of names) {
    const key = nameKey(name)
    for (const record of recordsOfKey(closeLedger, key).blocks) {
      if (record.type !== type && (entity === null || !wasEver(entity, record.type))) continue
      const meant = findRecorded(entities, record)
      const stays = meant !== null && meant.key === key && meant.type === record.type
      if (stays || (meant !== null && meant === entity)) continue
      const detail = `A closed session uses the name "${name}" for another ${record.type}. Choose another name.`
      return refuse('NameTaken', detail, { name, type: record.type })
    }
  }
  return null
}
