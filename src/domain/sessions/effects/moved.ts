import { type NameKey, nameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { moneyNames } from '#src/domain/currency/stacks.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { aliasKeys, genericKeys } from '#src/domain/entities/reading/collect.js'
import { splitRange } from '#src/domain/lore/rows/range.js'
import type { Row } from '#src/domain/lore/rows/row.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'
import type { LanguageData } from '#src/domain/names/language-data.js'
import { possibleForms, startOfKey } from '#src/domain/names/reach/possible-forms.js'
import type { ClosedSession } from './overlay-state.js'

/** Tags of an entity that applying effects reads, beside those that spell names. */
const readTags: ReadonlySet<string> = new Set(['typ', 'generyczne_nazwy', 'ilość', 'należy_do', 'status'])

const isRead = (row: Row): boolean => readTags.has(row.tag) || nameTags.has(row.tag)

/** Everything of an entity that an effect can depend on; line numbers are not part of it. */
const readText = perValue((entity: Entity): string =>
  JSON.stringify([
    entity.name,
    entity.type,
    entity.rows.filter(isRead).map(({ tag, value, range }) => [tag, value, range.from, range.to]),
  ]),
)

const keysOf = (entity: Entity): ReadonlyArray<NameKey> => [
  entity.key,
  ...aliasKeys(entity),
  ...genericKeys(entity),
]

/** The names by which the effects of sessions refer to blocks, and the same by their first word. */
interface Mentions {
  readonly keys: ReadonlySet<NameKey>
  readonly byStart: ReadonlyMap<string, ReadonlyArray<NameKey>>
}

const byStartOf = (keys: ReadonlySet<NameKey>): Mentions['byStart'] => {
  const byStart = new Map<string, Array<NameKey>>()
  for (const key of keys) {
    const start = startOfKey(key)
    const known = start === null ? undefined : byStart.get(start)
    if (known !== undefined) known.push(key)
    else if (start !== null) byStart.set(start, [key])
  }
  return byStart
}

const mentioned = perValue((effects: ReadonlyArray<ClosedSession>): Mentions => {
  const names = new Set<NameKey>()
  for (const { session, meaning } of effects) {
    const { changes, transfers } = session
    for (const { heading } of [...(meaning?.blocks ?? []), ...(meaning?.owners ?? [])])
      names.add(nameKey(heading))
    for (const { source, destination } of transfers) names.add(nameKey(source)).add(nameKey(destination))
    for (const { entity, tags } of changes) {
      names.add(nameKey(entity))
      for (const { tag, value } of tags) if (tag === 'należy_do') names.add(nameKey(splitRange(value).text))
    }
  }
  return { keys: names, byStart: byStartOf(names) }
})

/** Whether an effect may name a form of a spelling of the entity. */
const mayBeNamed = (entity: Entity, { byStart }: Mentions, { forms }: LanguageData): boolean => {
  const added = (forms.get(entity.key) ?? []).map(one => one.form)
  return keysOf(entity).some((name, at) => {
    const { starts, has } = possibleForms(name, at === 0 ? added : [])
    for (const start of starts) if (byStart.get(start)?.some(has) === true) return true
    return false
  })
}

/** Above so many different entities their forms are not compared: effects are applied again. */
const comparedMax = 100

/** The names of all owners, on any day, of an item that is money; empty for any other item. */
const purseOwners = perValue((item: Entity): ReadonlyArray<NameKey> => {
  const isMoney = item.rows.some(row => row.tag === 'generyczne_nazwy' && moneyNames(row.value).length > 0)
  return isMoney ? item.rows.flatMap(row => (row.tag === 'należy_do' ? [nameKey(row.value)] : [])) : []
})

interface Moves {
  readonly moved: ReadonlyMap<Entity, Entity>
  /** Entities that were added or removed, or that differ in what an effect reads. */
  readonly different: ReadonlyArray<Entity>
}

const entitiesNotIn = (
  one: ReadonlyArray<ReadonlyArray<Entity>>,
  other: typeof one,
): ReadonlyArray<Entity> => {
  const known = new Set(other)
  return one.filter(group => !known.has(group)).flat()
}

const movesOf = (before: Entities, after: Entities): Moves => {
  const come = entitiesNotIn(after.groups, before.groups)
  const waiting = new Map<string, Array<number>>()
  const placeOf = (entity: Entity): string => `${entity.file}\0${readText(entity)}`
  for (const [at, entity] of come.entries()) {
    const place = placeOf(entity)
    const known = waiting.get(place)
    if (known === undefined) waiting.set(place, [at])
    else known.push(at)
  }
  const moved = new Map<Entity, Entity>()
  const different: Array<Entity> = []
  let last = -1
  for (const entity of entitiesNotIn(before.groups, after.groups)) {
    const at = waiting.get(placeOf(entity))?.shift()
    const successor = at === undefined ? undefined : come[at]
    if (at === undefined || successor === undefined) {
      different.push(entity)
      continue
    }
    moved.set(entity, successor)
    // Among equal entities the first registered one has the effect, so one that changed its order counts as
    // different.
    if (at < last) different.push(entity, successor)
    last = Math.max(last, at)
  }
  for (const left of waiting.values()) for (const at of left) different.push(...come.slice(at, at + 1))
  return { moved, different }
}

/**
 * Maps the entities of `before` to their successors when no effect can depend on the differences: none of the
 * different entities is an item, and none has a name that an effect or an owner of money uses, or of which an
 * effect may use a form. Null when an effect may depend on them.
 */
export const unreadMoves = (
  before: Entities,
  after: Entities,
  effects: ReadonlyArray<ClosedSession>,
  language: LanguageData,
): ReadonlyMap<Entity, Entity> | null => {
  const { moved, different } = movesOf(before, after)
  if (different.length === 0) return moved
  if (different.length > comparedMax || different.some(entity => entity.type === 'Przedmiot')) return null
  const keys = new Set(different.flatMap(keysOf))
  const names = mentioned(effects)
  for (const key of keys) if (names.keys.has(key)) return null
  if (different.some(entity => mayBeNamed(entity, names, language))) return null
  const owned = (item: Entity): boolean => purseOwners(item).some(key => keys.has(key))
  return (after.byType.get('Przedmiot') ?? []).some(owned) ? null : moved
}
