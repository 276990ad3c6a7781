import type { NameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { sortByPrecedence } from '#src/domain/lore/rows/deciding-order.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'
import type { Entities, Entity } from './entity.js'
import { collectInSlices } from './reading/collect.js'
import type { IndexFile } from './reading/index-file.js'
import { refReader } from './references/ref-budget.js'

/** A block of the contributor store, which is an entity of type Gracz. */
type PersonBlock = Omit<Entity, 'type' | 'ref'>

/**
 * What `buildEntitiesInSlices` reads beside the index files: the people (entities of type Gracz) and the files of
 * `@ref`.
 */
export interface EntitySources {
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

/** Runs `buildEntitiesInSlices` to its end without yielding. */
export const entitiesOf = (...args: Parameters<typeof buildEntitiesInSlices>): Entities =>
  atOnce(buildEntitiesInSlices(...args))

const twice = (entity: Entity): Finding => ({
  kind: 'rejestr-w-indeksie',
  severity: 'error',
  file: entity.file,
  line: entity.line,
  subject: entity.name,
  reason: 'Gracz ma blok i w indeksie, i w rejestrze kontrybutorów.',
  suggestion: 'Usuń blok z indeksu; obowiązuje rejestr.',
})
