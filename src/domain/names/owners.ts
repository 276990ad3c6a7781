import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import type { EntityType } from '#protocol/atoms/vocabulary.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { byRank } from '#src/domain/entities/reading/collect.js'
import { activeOn } from '#src/domain/lore/rows/range.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'
import type { NameIndex, ResolveOptions } from './resolution.js'

const none: ReadonlyArray<Entity> = []

/** The owners of the given types, cached per group of owners, because thousands may share a name. */
const ofTypes = perValue((owners: ReadonlyArray<Entity>) => {
  const known = new Map<string, ReadonlyArray<Entity>>()
  return (types: ReadonlyArray<EntityType>): ReadonlyArray<Entity> => {
    const asked = types.join()
    const found = known.get(asked) ?? byRank(owners.filter(entity => types.includes(entity.type)))
    known.set(asked, found)
    return found
  }
})

const ranked = perValue(byRank)

/** The owners that the options accept, in the order of D12; the type filter comes before anything is judged. */
const accepted = (
  owners: ReadonlyArray<Entity>,
  { types, within }: ResolveOptions,
): ReadonlyArray<Entity> => {
  const typed = types === undefined ? ranked(owners) : ofTypes(owners)(types)
  return within === undefined ? typed : typed.filter(within)
}

const isNamedOn = (entity: Entity, key: NameKey, { day }: ResolveOptions): boolean =>
  day === undefined ||
  entity.rows.some(row => nameTags.has(row.tag) && nameKey(row.value) === key && activeOn(row.range, day))

/** The blocks with this heading. */
export const headingOwners = (
  names: NameIndex,
  key: NameKey,
  options: ResolveOptions,
): ReadonlyArray<Entity> => {
  const owners = names.exact.get(key)
  return owners === undefined ? none : accepted(owners, options)
}

/** The blocks with this alias, on the day of the options where they name one. */
export const aliasOwners = (
  names: NameIndex,
  key: NameKey,
  options: ResolveOptions,
): ReadonlyArray<Entity> => {
  const owners = names.alias.get(key)
  if (owners === undefined) return none
  const found = accepted(owners, options)
  return options.day === undefined ? found : found.filter(entity => isNamedOn(entity, key, options))
}

/** The blocks with this generic name. */
export const genericOwners = (
  names: NameIndex,
  key: NameKey,
  options: ResolveOptions,
): ReadonlyArray<Entity> => {
  const owners = names.generic.get(key)
  return owners === undefined ? none : accepted(owners, options)
}

/** The blocks of a spelling: by heading, else by alias, else by generic name. */
export const spellingOwners = (
  names: NameIndex,
  key: NameKey,
  options: ResolveOptions,
): ReadonlyArray<Entity> => {
  const byHeading = headingOwners(names, key, options)
  if (byHeading.length > 0) return byHeading
  const byAlias = aliasOwners(names, key, options)
  return byAlias.length > 0 ? byAlias : genericOwners(names, key, options)
}
