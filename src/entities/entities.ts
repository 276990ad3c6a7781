import type { SourceFile } from '#src/lore/source-file.js'
import type { People } from '#src/people/person.js'
import type { Entities } from './entity.js'
import type { IndexFile } from './index-file.js'

/** What `entitiesOf` reads beside the index files: the people (entities of type Gracz) and `@ref` targets. */
export interface EntitySources {
  readonly people: People
  readonly fileAt: (path: string) => SourceFile | null
}

export const entitiesOf = (_files: ReadonlyArray<IndexFile>, _sources: EntitySources): Entities => ({
  all: [],
  byHeading: new Map(),
  byAlias: new Map(),
  byType: new Map(),
  findings: [],
})
