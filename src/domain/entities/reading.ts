import { type EntityType, entityTypes, type NameKey, nameKey, type RepoPath } from '#protocol/atoms.js'
import { changeMap, layeredMapOf } from '#src/domain/caching/layered-map.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { joinLists } from '#src/domain/json/json-bytes.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { commaList, sortByPrecedence } from '#src/domain/lore/rows/deciding-order.js'
import type { Block, Row } from '#src/domain/lore/rows/row-change.js'
import { nameTags, spellingIn } from '#src/domain/lore/rows/rows.js'
import { forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import { type Entities, type Entity, type Owners, typeOf } from './entity.js'

/** Sorts homonyms in the order of D12: by type; a block of the contributor store before an index block. */
export const byRank = (entities: ReadonlyArray<Entity>): ReadonlyArray<Entity> =>
  entities.length < 2
    ? entities
    : [...entities].sort((left, right) => (rank.get(left.type) ?? 0) - (rank.get(right.type) ?? 0))

/** The keys of every other spelling of an entity, with any range: `@alias`, `@nazwa_svc`, `@nick`. */
export const aliasKeys = perValue((entity: Entity): ReadonlyArray<NameKey> => {
  const keys = new Set<NameKey>()
  for (const row of entity.rows) {
    const name = nameTags.has(row.tag) ? spellingIn(row) : null
    if (name !== null) keys.add(nameKey(name))
  }
  keys.delete(entity.key)
  return [...keys]
})

/** The names of `@generyczne_nazwy`, in order, with any range. */
export const genericNames = ({ rows }: Pick<Entity, 'rows'>): ReadonlyArray<string> =>
  rows.flatMap(row => (row.tag === 'generyczne_nazwy' ? commaList(spellingIn(row) ?? '') : []))

/** The keys of its generic names. */
export const genericKeys = perValue(
  (entity: Entity): ReadonlyArray<NameKey> => [...new Set(genericNames(entity).map(nameKey))],
)

/**
 * The maps over the entities of each file. After a commit only the spellings of changed entities are updated,
 * so the cost depends on the change; the result equals maps built from scratch.
 */
export const collectInSlices = function* (
  groups: ReadonlyArray<Group>,
  findings: ReadonlyArray<Finding>,
  before: Entities | null = null,
): Sliced<Entities> {
  const all = joinLists(groups)
  const byType = byTypeOf(groups)
  yield
  const difference = before === null ? null : differenceOf(before.groups, groups)
  yield
  const isRebuilt =
    difference === null || difference.gone.size + difference.come.length > all.length * anewShare
  const owners = (spelling: Spelling, known: Owners | undefined): Sliced<Owners> =>
    isRebuilt || known === undefined ? ownersOf(spelling, all) : ownersAfter(spelling, known, difference)
  const byHeading = yield* owners(spellings.byHeading, before?.byHeading)
  const byAlias = yield* owners(spellings.byAlias, before?.byAlias)
  const byGeneric = yield* owners(spellings.byGeneric, before?.byGeneric)
  return { groups, all, byHeading, byAlias, byGeneric, byType, findings }
}

/** A block as a ledger names it: its heading and its type when it was recorded. */
export interface BlockRecord {
  readonly heading: string
  readonly type: EntityType
}

export const blockRecord = ({ name, type }: Entity): BlockRecord => ({ heading: name, type })

/** Whether a block has or had the type: a closed `@typ` row keeps an earlier one. */
export const wasEver = (entity: Entity, type: EntityType): boolean =>
  entity.type === type || entity.rows.some(row => row.tag === 'typ' && typeOf(row.value) === type)

/**
 * The block that a record means today; null when it no longer exists. A renamed block is found by its old
 * heading, which stays as an alias, and one with a new type by its `@typ` rows. Never returns a block of the
 * heading that never had the type, because that is a homonym.
 */
export const findRecorded = (entities: Entities, { heading, type }: BlockRecord): Entity | null => {
  const key = nameKey(heading)
  const groups = [entities.byHeading.get(key) ?? [], entities.byAlias.get(key) ?? []]
  for (const group of groups) {
    const found = group.find(one => one.type === type) ?? group.find(one => wasEver(one, type))
    if (found !== undefined) return found
  }
  return null
}

/**
 * The type that a block states: the last `@typ` in the deciding order that names one; null when none does.
 */
export const typeInRows = (rows: ReadonlyArray<Row>): Entity['type'] | null => {
  const row = rows.findLast(one => one.tag === 'typ' && typeOf(one.value) !== null)
  return row === undefined ? null : typeOf(row.value)
}

/** The blocks of one file that have a heading and a type together, in groups of two and more. */
export const twinsOf = (
  blocks: ReadonlyArray<Block>,
  file: RepoPath,
): ReadonlyArray<ReadonlyArray<Block>> => {
  const groups = new Map<string, Array<Block>>()
  for (const block of blocks) {
    const entity = entityOfBlock(block, file)
    if (entity === null) continue
    const key = `${entity.type}\n${entity.key}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [block])
    else group.push(block)
  }
  return [...groups.values()].filter(({ length }) => length > 1)
}

/** The entity of a block of an index file; null when it states no type. */
export const entityOfBlock = (block: Block, file: RepoPath): Entity | null => {
  const rows = sortByPrecedence(block.rows)
  const type = typeInRows(rows)
  if (type === null) return null
  const { heading: name, line, endLine } = block
  return { name, key: nameKey(name), type, file, line, endLine, rows, ref: null }
}

type Group = ReadonlyArray<Entity>

const rank: ReadonlyMap<EntityType, number> = new Map(entityTypes.map((type, at) => [type, at] as const))

/** For each of the three maps: the keys of an entity, and whether its owners are ordered by rank. */
const spellings = {
  byHeading: { keys: (entity: Entity): ReadonlyArray<NameKey> => [entity.key], ranked: true },
  byAlias: { keys: aliasKeys, ranked: true },
  byGeneric: { keys: genericKeys, ranked: false },
} as const

type Spelling = (typeof spellings)[keyof typeof spellings]

const put = <K>(map: Map<K, Array<Entity>>, key: K, entity: Entity): void => {
  const known = map.get(key)
  if (known === undefined) map.set(key, [entity])
  else known.push(entity)
}

const rankOwners = (map: Map<NameKey, ReadonlyArray<Entity>>): Owners => {
  for (const [key, owners] of map) if (owners.length > 1) map.set(key, byRank(owners))
  return layeredMapOf(map)
}

const ownersOf = function* ({ keys, ranked }: Spelling, all: Group): Sliced<Owners> {
  const owners = new Map<NameKey, Array<Entity>>()
  yield* forEachInSlices(all, entity => {
    for (const key of keys(entity)) put(owners, key, entity)
  })
  return ranked ? rankOwners(owners) : layeredMapOf<NameKey, Group>(owners)
}

const typesOf = perValue((group: Group): ReadonlyMap<EntityType, ReadonlyArray<Entity>> => {
  const types = new Map<EntityType, Array<Entity>>()
  for (const entity of group) put(types, entity.type, entity)
  return types
})

const nobody: Group = []

const byTypeOf = (groups: ReadonlyArray<Group>): ReadonlyMap<EntityType, ReadonlyArray<Entity>> => {
  const types = new Map<EntityType, ReadonlyArray<Entity>>()
  for (const type of entityTypes) {
    const found = joinLists(groups.map(group => typesOf(group).get(type) ?? nobody))
    if (found.length > 0) types.set(type, found)
  }
  return types
}

/** The entities that a commit removed from the groups and added to them. */
interface Difference {
  readonly gone: ReadonlySet<Entity>
  readonly come: ReadonlyArray<Entity>
  /** The index of each file among the groups. */
  readonly place: ReadonlyMap<string, number>
}

const differenceOf = (before: ReadonlyArray<Group>, groups: ReadonlyArray<Group>): Difference => {
  const [old, now] = [new Set(before), new Set(groups)]
  const left = before.filter(group => !now.has(group)).flat()
  const entered = groups.filter(group => !old.has(group)).flat()
  const [was, is] = [new Set(left), new Set(entered)]
  return {
    gone: new Set(left.filter(entity => !is.has(entity))),
    come: entered.filter(entity => !was.has(entity)),
    place: new Map(groups.map((group, at) => [group[0]?.file ?? '', at])),
  }
}

const inOrder =
  ({ place }: Difference) =>
  (one: Entity, other: Entity): number =>
    (place.get(one.file) ?? 0) - (place.get(other.file) ?? 0) || one.line - other.line

/** The owners after a commit. Only spellings of removed or added entities are updated. */
const ownersAfter = function* (
  { keys, ranked }: Spelling,
  before: Owners,
  difference: Difference,
): Sliced<Owners> {
  const { gone, come } = difference
  const coming = new Map<NameKey, Array<Entity>>()
  yield* forEachInSlices(gone, entity => {
    for (const key of keys(entity)) coming.set(key, [])
  })
  yield* forEachInSlices(come, entity => {
    for (const key of keys(entity)) put(coming, key, entity)
  })
  const changes = new Map<NameKey, ReadonlyArray<Entity> | null>()
  yield* forEachInSlices(coming, ([key, entities]) => {
    const kept = (before.get(key) ?? []).filter(entity => !gone.has(entity))
    const owners = [...kept, ...entities].sort(inOrder(difference))
    changes.set(key, owners.length === 0 ? null : ranked ? byRank(owners) : owners)
  })
  return changeMap(before, changes)
}

/** From this share of changed entities on, the maps are built from scratch. */
const anewShare = 0.25
