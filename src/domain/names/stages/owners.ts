import { type Day, type EntityType, type NameKey, nameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { homonymsMax } from '#src/domain/entities/homonyms.js'
import { byRank } from '#src/domain/entities/reading/collect.js'
import { activeOn, type Range } from '#src/domain/lore/rows/range.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'
import type { NameIndex, ResolveOptions } from '../resolution.js'

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

/**
 * The most owners of a name that are filtered one by one: one more than a name may have, so that
 * callers see that it has more.
 */
export const ownersMax = homonymsMax + 1

const firstOf = (
  owners: ReadonlyArray<Entity>,
  isAccepted: (entity: Entity) => boolean,
): ReadonlyArray<Entity> => {
  const found: Array<Entity> = []
  for (const owner of owners) {
    if (isAccepted(owner)) found.push(owner)
    if (found.length === ownersMax) break
  }
  return found
}

const ofType = (owners: ReadonlyArray<Entity>, { types }: ResolveOptions): ReadonlyArray<Entity> =>
  types === undefined ? ranked(owners) : ofTypes(owners)(types)

/** The owners that the options accept, in the order of D12; the type filter comes before anything is judged. */
const acceptOwners = (
  owners: ReadonlyArray<Entity> | undefined,
  options: ResolveOptions,
): ReadonlyArray<Entity> => {
  if (owners === undefined) return none
  const typed = ofType(owners, options)
  return options.within === undefined ? typed : firstOf(typed, options.within)
}

/** The ranges of every spelling that an entity has beside its heading. */
export const rangesOfNames = perValue((entity: Entity): ReadonlyMap<NameKey, ReadonlyArray<Range>> => {
  const ranges = new Map<NameKey, Array<Range>>()
  for (const { tag, value, range } of entity.rows) {
    if (!nameTags.has(tag)) continue
    const key = nameKey(value)
    const known = ranges.get(key)
    if (known === undefined) ranges.set(key, [range])
    else known.push(range)
  }
  return ranges
})

const isNamedOn = (entity: Entity, key: NameKey, day: Day): boolean =>
  rangesOfNames(entity)
    .get(key)
    ?.some(range => activeOn(range, day)) === true

/** The blocks with this heading. */
export const headingOwners = (
  names: NameIndex,
  key: NameKey,
  options: ResolveOptions,
): ReadonlyArray<Entity> => acceptOwners(names.exact.get(key), options)

/** The blocks with this alias, on the day of the options where they name one. */
export const aliasOwners = (
  names: NameIndex,
  key: NameKey,
  options: ResolveOptions,
): ReadonlyArray<Entity> => {
  const owners = names.alias.get(key)
  const { day, within } = options
  if (owners === undefined || day === undefined) return acceptOwners(owners, options)
  const isAccepted = (entity: Entity): boolean => within?.(entity) !== false && isNamedOn(entity, key, day)
  return firstOf(ofType(owners, options), isAccepted)
}

/** The blocks with this generic name. */
export const genericOwners = (
  names: NameIndex,
  key: NameKey,
  options: ResolveOptions,
): ReadonlyArray<Entity> => acceptOwners(names.generic.get(key), options)

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
