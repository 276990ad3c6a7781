import type { Entities } from '#src/entities/entity.js'
import type { NameIndex } from './resolution.js'

/** The index of every spelling of every block. */
export const nameIndexOf = (entities: Entities): NameIndex => ({
  exact: entities.byHeading,
  alias: entities.byAlias,
  generic: entities.byGeneric,
})
