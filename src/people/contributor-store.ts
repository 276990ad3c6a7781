import type { SourceFile } from '#src/lore/source-file.js'
import type { People } from './person.js'

/** The contributor store `kontrybutorzy.md`; null when the repository has none. */
export const parseContributorStore = (_file: SourceFile | null): People => ({
  all: [],
  byName: new Map(),
  byAlias: new Map(),
  roles: [],
  findings: [],
})
