import { type Day, type EntityType, entityTypes, type NameKey, nameKey } from '#protocol/atoms.js'
import type { EntityLink } from '#protocol/lore/entities.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { rowOn, sortByPrecedence } from '#src/domain/lore/rows/deciding-order.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { type Sliced } from '#src/domain/slicing/sliced.js'
import type { IndexFile } from './bound-findings.js'
import { documentOn, type Entities, type Entity, spellingsOn, typeOn } from './entity.js'
import { refReader } from './follow-ref.js'
import { collectInSlices, findRecorded } from './reading.js'

/**
 * The entities of the index files (sorted by path) and of the contributor store, which comes first among
 * equal headings. A Gracz block in an index file is an entity unless the store has the person too, which is a finding
 * (A 2.5). With the entities `before`, unchanged files are not processed again.
 */
export const buildEntitiesInSlices = function* (
  files: ReadonlyArray<IndexFile>,
  sources: EntitySources,
  before: Entities | null = null,
): Sliced<Entities> {
  const groups: Array<ReadonlyArray<Entity>> = [groupOfPeople(sources.people.all)]
  const findings: Array<Finding> = []
  const readRefs = refReader(sources.fileAt)
  for (const file of files) {
    for (const finding of file.findings) findings.push(finding)
    const changed = new Map<Entity, Entity | null>()
    for (const entity of special(file)) {
      if (entity.type === 'Gracz' && sources.people.byName.has(entity.key)) {
        findings.push(twice(entity))
        changed.set(entity, null)
        continue
      }
      if (!hasRef(entity)) continue
      const followed = readRefs(entity)
      yield
      changed.set(entity, followed.entity)
      for (const finding of followed.findings) findings.push(finding)
    }
    groups.push(groupOf(file, changed))
    yield
  }
  return yield* collectInSlices(groups, findings, before)
}

/** The block that a path parameter names, and the other types that have the same heading or alias (D12). */
export interface NamedEntity {
  readonly entity: Entity
  readonly alsoTypes: ReadonlyArray<EntityType>
}

/**
 * Resolves `{name}`: by heading, then by alias. With `type` only blocks of that type count; without it the
 * first in the order of `entityTypes` is taken (D12). Types are those of `day`. Null when no block matches.
 */
export const entityNamed = (
  entities: Entities,
  name: string,
  day: Day,
  type?: EntityType,
): NamedEntity | null => {
  const key = nameKey(name)
  for (const owners of [entities.byHeading.get(key), entities.byAlias.get(key)]) {
    if (owners === undefined) continue
    const firsts = new Map<EntityType, Entity>()
    for (const owner of owners) {
      const held = typeOn(owner, day)
      if (!firsts.has(held)) firsts.set(held, owner)
    }
    const types = entityTypes.filter(one => firsts.has(one))
    const wanted = type ?? types[0]
    const entity = wanted === undefined ? undefined : firsts.get(wanted)
    if (entity !== undefined) return { entity, alsoTypes: types.filter(one => one !== wanted) }
  }
  return null
}

/**
 * The largest number of blocks that may share a name and still all be listed under it. Real lore stays far
 * below it. Without the limit, an answer that lists thousands of blocks for each of thousands of rows would
 * grow with the square (ADR 1028).
 */
export const homonymsMax = 200

/**
 * The first entity of a type in a group. Computed once per group, so that each row naming a shared name costs
 * one look-up.
 */
export const firstOfType = (group: Group, type: EntityType): Entity | undefined => firsts(group).get(type)

/** Every block as heading, type, document and other spellings on a day (B 2.1). */
export const linksOn = (entities: Entities, day: Day, withFile: boolean): ReadonlyArray<EntityLink> => {
  const links = entities.all.map(entity => ({
    n: entity.name,
    t: typeOn(entity, day),
    p: documentOn(entity, day),
    s: spellingsOn(entity, day),
  }))
  return withFile ? links.filter(link => link.p !== null) : links
}

/**
 * The block that a name in a row means: by heading, else by alias; among homonyms the types in `before` come
 * first.
 */
export const entityMeant = (
  entities: Entities,
  text: string,
  before: ReadonlyArray<EntityType>,
): Entity | null => {
  const key = nameKey(text)
  const owners = entities.byHeading.get(key) ?? entities.byAlias.get(key) ?? []
  for (const type of before) {
    const preferred = firstOfType(owners, type)
    if (preferred !== undefined) return preferred
  }
  return owners[0] ?? null
}

/**
 * The block that an entity's `@należy_do` names: for a Postać its Gracz, else any block that can own things.
 */
export const ownerMeant = (entities: Entities, entity: Pick<Entity, 'type'>, owner: string): Entity | null =>
  entity.type === 'Postać' ? playerMeant(entities, owner) : entityMeant(entities, owner, ofAnything)

/** The block that an owner row names: the one recorded with the row, else by the name as written. */
export const ownerOfRow = (entities: Entities, entity: Entity, row: Row): Entity | null =>
  row.owner === undefined ? ownerMeant(entities, entity, row.value) : findRecorded(entities, row.owner)

/**
 * The owner of an entity on a day: the text as written, and the block that it means. Null when no row states
 * an owner.
 */
export const ownerBlockOn = (
  entities: Entities,
  entity: Entity,
  day: Day,
): { readonly text: string; readonly block: Entity | null } | null => {
  const row = rowOn(entity.rows, 'należy_do', day)
  return row === null || row.value === ''
    ? null
    : { text: row.value, block: ownerOfRow(entities, entity, row) }
}

/** A block of the contributor store, which is an entity of type Gracz. */
type PersonBlock = Omit<Entity, 'type' | 'ref'>

/**
 * What `buildEntitiesInSlices` reads beside the index files: the people (entities of type Gracz) and the files of
 * `@ref`.
 */
interface EntitySources {
  readonly people: {
    readonly all: ReadonlyArray<PersonBlock>
    readonly byName: ReadonlyMap<NameKey, PersonBlock>
  }
  readonly fileAt: (path: string) => SourceFile | null
}

const entityOfPerson = perValue(
  (person: PersonBlock): Entity => ({
    name: person.name,
    key: person.key,
    type: 'Gracz',
    file: person.file,
    line: person.line,
    endLine: person.endLine,
    rows: sortByPrecedence(person.rows),
    ref: null,
  }),
)

const groupOfPeople = perValue((people: ReadonlyArray<PersonBlock>) => people.map(entityOfPerson))

const hasRef = (entity: Entity): boolean => entity.rows.some(row => row.tag === 'ref')

/** The blocks of a file that depend on more than the file: those with a reference, and Gracze. */
const special = perValue(
  (file: IndexFile): ReadonlyArray<Entity> =>
    file.entities.filter(entity => entity.type === 'Gracz' || hasRef(entity)),
)

const made = new WeakMap<IndexFile, ReadonlyArray<Entity>>()

/**
 * The entities of a file after their references were followed, and without Gracze whom the store has (null); the same
 * list as before while they are the same.
 */
const groupOf = (file: IndexFile, changed: ReadonlyMap<Entity, Entity | null>): ReadonlyArray<Entity> => {
  if (changed.size === 0) return file.entities
  const group = file.entities.flatMap(entity => {
    const now = changed.get(entity)
    return now === undefined ? [entity] : (now ?? [])
  })
  const known = made.get(file)
  if (known?.length === group.length && known.every((entity, at) => entity === group[at])) return known
  made.set(file, group)
  return group
}

const twice = (entity: Entity): Finding => ({
  kind: 'rejestr-w-indeksie',
  severity: 'error',
  file: entity.file,
  line: entity.line,
  subject: entity.name,
  reason: 'Gracz ma blok i w indeksie, i w rejestrze kontrybutorów.',
  suggestion: 'Usuń blok z indeksu; obowiązuje rejestr.',
})

type Group = ReadonlyArray<Entity>

const firsts = perValue((group: Group): ReadonlyMap<EntityType, Entity> => {
  const found = new Map<EntityType, Entity>()
  for (const entity of group) if (!found.has(entity.type)) found.set(entity.type, entity)
  return found
})

const ofAnything: ReadonlyArray<EntityType> = ['Postać', 'NPC', 'Grupa']

const playersAmong = perValue((owners: ReadonlyArray<Entity>) => owners.filter(one => one.type === 'Gracz'))

/**
 * The owner of a Postać: a Gracz by heading, else by alias; null when several Gracze have the alias. Without
 * a Gracz any block.
 */
const playerMeant = (entities: Entities, owner: string): Entity | null => {
  const key = nameKey(owner)
  const [headed, called] = [entities.byHeading.get(key), entities.byAlias.get(key)]
  const player = headed === undefined ? undefined : firstOfType(headed, 'Gracz')
  if (player !== undefined) return player
  const [first, second] = called === undefined ? [] : playersAmong(called)
  if (first === undefined) return entityMeant(entities, owner, [])
  return second === undefined ? first : null
}
