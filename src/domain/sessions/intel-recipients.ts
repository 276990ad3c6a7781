import { absurd } from 'fp-ts/lib/function.js'
import {
  type Day,
  type Directive,
  type EntityType,
  type NameKey,
  nameKey,
  type Status,
} from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import {
  type Entities,
  type Entity,
  groupsOn,
  locationOn,
  spellingsOn,
  statusOn,
} from '#src/domain/entities/entity.js'
import { type Places, placesOn } from '#src/domain/entities/places.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { resolveUpToForms } from '#src/domain/names/resolve.js'
import type { NameIndex, Resolution } from '#src/domain/names/spelling-table.js'

/** The target of an Intel entry: the directive of its prefix, and the name or names after it. */
export interface IntelTarget {
  readonly directive: Directive
  readonly text: string
}

/** Parses a target; prefixes are case-sensitive (FORMATS 4.6). */
export const intelTargetOf = (text: string): IntelTarget => {
  if (text.startsWith('Grupa/')) return { directive: 'Grupa', text: text.slice('Grupa/'.length).trim() }
  if (text.startsWith('Lokacja/')) return { directive: 'Lokacja', text: text.slice('Lokacja/'.length).trim() }
  return { directive: 'Direct', text: text.trim() }
}

/** The same for targets that differ in letter case and blanks alone: they have the same recipients. */
export const intelTargetKey = (target: string): string => {
  const { directive, text } = intelTargetOf(target)
  return `${directive}\n${nameKey(text)}`
}

/** A name of an Intel target with its resolution. */
export interface IntelName {
  readonly name: string
  /** The type that the target requires; null: any. */
  readonly type: EntityType | null
  readonly found: Resolution
  /** Whether the name is no written name of the block. */
  readonly isForm: boolean
}

/**
 * Resolves each name of a target up to inflected forms; a name of several blocks resolves to none (FORMATS 4.6,
 * D50).
 */
export const intelNames = (names: NameIndex, { directive, text }: IntelTarget): ReadonlyArray<IntelName> => {
  const type = typeWanted[directive]
  const parts = directive === 'Direct' ? text.split(',') : [text]
  return parts.map(one => ({
    name: one.trim(),
    type,
    ...resolveUpToForms(names, one, [type === null ? null : [type]]),
  }))
}

/**
 * The recipients of an Intel entry on the day of its session, each once by name; empty when the target means
 * no entity or several (FORMATS 4.6). Leaves out blocks that were `Usunięty` or `Niepewny` on that day.
 */
export const recipientsOf = (
  entities: Entities,
  names: NameIndex,
  { directive, text }: IntelTarget,
  day: Day,
): ReadonlyArray<Entity> => {
  const named = intelNames(names, { directive, text }).flatMap(({ found }) => found.entity ?? [])
  const meant = (): ReadonlyArray<Entity> => {
    switch (directive) {
      case 'Direct':
        return named
      case 'Grupa':
        return named.flatMap(one => ofGroup(entities, one, day))
      case 'Lokacja':
        return named.flatMap(one => ofPlace(entities, one, day))
      default:
        return absurd(directive)
    }
  }
  const byName = new Map<string, Entity>()
  for (const one of meant()) if (stands(one, day) && !byName.has(one.name)) byName.set(one.name, one)
  return [...byName.values()]
}

/** An entity that a row ever put into a group or a place. */
interface Holder {
  readonly entity: Entity
  /** Whether it is there on every day. */
  readonly isAlways: boolean
}

type Holders = ReadonlyMap<NameKey, ReadonlyArray<Holder>>

/** The entities of a file by the keys of the rows of a tag; `isAlways` of a row among those of its tag. */
const holdersBy = (
  group: ReadonlyArray<Entity>,
  tag: string,
  keysOf: (value: string) => ReadonlyArray<string>,
  isAlways: (row: Row, rows: ReadonlyArray<Row>) => boolean,
): Holders => {
  const holders = new Map<NameKey, Array<Holder>>()
  for (const entity of group) {
    const rows = entity.rows.filter(row => row.tag === tag)
    const keys = new Map<NameKey, boolean>()
    for (const row of rows)
      for (const text of keysOf(row.value)) {
        const key = nameKey(text)
        keys.set(key, keys.get(key) === true || isAlways(row, rows))
      }
    for (const [key, always] of keys) {
      const known = holders.get(key)
      const holder = { entity, isAlways: always }
      if (known === undefined) holders.set(key, [holder])
      else known.push(holder)
    }
  }
  return holders
}

const isUndated = ({ value, range }: Row): boolean => value !== '' && range.from === null && range.to === null

/** Everybody of a file who was ever in a group, or in a place by its name or a segment of its path. */
const ofFile = perValue((group: ReadonlyArray<Entity>) => ({
  group: holdersBy(group, 'grupa', value => [value], isUndated),
  place: holdersBy(
    group,
    'lokacja',
    value => [value, ...value.split('/')],
    // Of several rows the last one of a day counts.
    (row, rows) => rows.length === 1 && isUndated(row),
  ),
}))

/** Everybody who was ever in a group or a place of one of the names, and is there by `isThere`. */
const thoseIn = (
  { groups }: Entities,
  kind: 'group' | 'place',
  keys: ReadonlySet<NameKey>,
  isThere: (entity: Entity) => boolean,
): ReadonlyArray<Entity> => {
  const holders = groups.map(group => ofFile(group)[kind])
  const found: Array<Entity> = []
  for (const key of keys)
    for (const known of holders)
      for (const { entity, isAlways } of known.get(key) ?? [])
        if (isAlways || isThere(entity)) found.push(entity)
  return found
}

const leftOut: ReadonlySet<Status> = new Set(['Usunięty', 'Niepewny'])

const stands = (entity: Entity, day: Day): boolean => !leftOut.has(statusOn(entity, day))

const keysOn = (entity: Entity, day: Day): ReadonlyArray<NameKey> =>
  [entity.name, ...spellingsOn(entity, day)].map(nameKey)

const ofGroup = (entities: Entities, group: Entity, day: Day): ReadonlyArray<Entity> => {
  const keys = new Set(keysOn(group, day))
  const isThere = (one: Entity): boolean => groupsOn(one, day).some(name => keys.has(nameKey(name)))
  return [group, ...thoseIn(entities, 'group', keys, isThere)]
}

/**
 * The places of the most recently used day. One is enough, because sessions come in the order of their days.
 */
const placesBy = perValue((entities: Entities) => {
  let last: Places | null = null
  return (day: Day): Places => {
    last = last?.day === day ? last : placesOn(entities, day)
    return last
  }
})

const below = (places: Places, root: Entity): ReadonlyArray<Entity> => {
  const found = new Set([root])
  for (const place of found) for (const child of places.children.get(place) ?? []) found.add(child)
  return [...found]
}

const isIn = (entity: Entity, keys: ReadonlySet<NameKey>, day: Day): boolean => {
  const at = locationOn(entity, day)
  return at !== null && [at, ...at.split('/')].some(part => keys.has(nameKey(part)))
}

const ofPlace = (entities: Entities, place: Entity, day: Day): ReadonlyArray<Entity> => {
  const all = below(placesBy(entities)(day), place)
  const keys = new Set(all.flatMap(one => keysOn(one, day)))
  const those = thoseIn(entities, 'place', keys, one => isIn(one, keys, day))
  return [...all, ...those.filter(one => one.type !== 'Lokacja')]
}

/** The type that a directive requires of the block behind its name; null: any. */
const typeWanted = { Direct: null, Grupa: 'Grupa', Lokacja: 'Lokacja' } as const
