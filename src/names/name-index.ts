import type { Entities } from '#src/entities/entity.js'
import { perValue } from '#src/lore/per-value.js'
import type { NameIndex } from './resolution.js'

/** The index of every spelling of every block; one value for one set of blocks. */
export const nameIndexOf = perValue(
  (entities: Entities): NameIndex => ({
    exact: entities.byHeading,
    alias: entities.byAlias,
    generic: entities.byGeneric,
  }),
)
