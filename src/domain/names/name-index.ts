import { perValue } from '#src/domain/caching/per-value.js'
import type { Entities } from '#src/domain/entities/entity.js'
import type { NameIndex } from './resolution.js'

/** The index of every spelling of every block, computed once per `Entities`. */
export const nameIndexOf = perValue(
  (entities: Entities): NameIndex => ({
    exact: entities.byHeading,
    alias: entities.byAlias,
    generic: entities.byGeneric,
  }),
)
