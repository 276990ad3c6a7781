import { decidingOrder } from '#src/lore/deciding-order.js'
import type { Finding } from '#src/lore/finding.js'
import { perValue } from '#src/lore/per-value.js'
import type { SourceFile } from '#src/lore/source-file.js'
import type { People, Person } from '#src/people/person.js'
import { collect } from './collect.js'
import type { Entities, Entity } from './entity.js'
import { followRef } from './follow-ref.js'
import type { IndexFile } from './index-file.js'

/** What `entitiesOf` reads beside the index files: the people (entities of type Gracz) and `@ref` targets. */
export interface EntitySources {
  readonly people: People
  readonly fileAt: (path: string) => SourceFile | null
}

const entityOfPerson = perValue(
  (person: Person): Entity => ({
    name: person.name,
    key: person.key,
    type: 'Gracz',
    file: person.file,
    line: person.line,
    endLine: person.endLine,
    rows: decidingOrder(person.rows),
    ref: null,
  }),
)

const hasRef = (entity: Entity): boolean => entity.rows.some(row => row.tag === 'ref')

/**
 * The entities of the index files (sorted by path) and of the contributor store, which comes first among equal
 * headings. A Gracz block in an index file stays an entity; where the store holds the person too, that is a
 * finding (A 2.5).
 */
export const entitiesOf = (files: ReadonlyArray<IndexFile>, sources: EntitySources): Entities => {
  const all: Array<Entity> = sources.people.all.map(entityOfPerson)
  const findings: Array<Finding> = []
  for (const file of files) {
    for (const finding of file.findings) findings.push(finding)
    for (const entity of file.entities) {
      if (entity.type === 'Gracz' && sources.people.byName.has(entity.key)) findings.push(twice(entity))
      if (!hasRef(entity)) {
        all.push(entity)
        continue
      }
      const followed = followRef(entity, sources.fileAt)
      all.push(followed.entity)
      for (const finding of followed.findings) findings.push(finding)
    }
  }
  return collect(all, findings)
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
