import { perValue } from '#src/domain/caching/per-value.js'
import type { Entities } from '#src/domain/entities/entity.js'
import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'
import { emptyLanguage, type LanguageData } from './language-data.js'
import type { NameIndex } from './resolution.js'

/** Builds the index of every spelling of every block; with the index `before`, only what changed. */
// biome-ignore lint/correctness/useYield: the form table will yield.
export const buildNameIndexInSlices = function* (
  entities: Entities,
  _language: LanguageData,
  _before: NameIndex | null,
): Sliced<NameIndex> {
  return { exact: entities.byHeading, alias: entities.byAlias, generic: entities.byGeneric }
}

const indexes = perValue((entities: Entities) =>
  perValue((language: LanguageData) => atOnce(buildNameIndexInSlices(entities, language, null))),
)

/** The index of every spelling of every block, computed once per `Entities` and language. */
export const nameIndexOf = (entities: Entities, language: LanguageData = emptyLanguage): NameIndex =>
  indexes(entities)(language)
