import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import { perValueInSlices } from '#src/domain/caching/per-value-in-slices.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { visibleRows } from '#src/domain/entities/shown-rows.js'
import { forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import { spellingsOfRow } from './hidden-spellings.js'

/** A spelling of a block that answers may show. */
export interface ShownSpelling {
  readonly entity: Entity
  readonly text: string
  readonly key: NameKey
}

/** The heading of a block, then its other spellings and common nouns with any range, each once. */
export const listShownSpellings = (entity: Entity): ReadonlyArray<ShownSpelling> => {
  const found = new Map<NameKey, ShownSpelling>([
    [entity.key, { entity, text: entity.name, key: entity.key }],
  ])
  for (const row of visibleRows(entity))
    for (const text of spellingsOfRow(row)) {
      const key = nameKey(text)
      if (key !== '' && !found.has(key)) found.set(key, { entity, text, key })
    }
  return [...found.values()]
}

/** The spellings of the blocks of one file, the blocks in their order. Yields between blocks. */
export const spellingsOfGroup = perValueInSlices(function* (
  group: ReadonlyArray<Entity>,
): Sliced<ReadonlyArray<ShownSpelling>> {
  const found: Array<ShownSpelling> = []
  yield* forEachInSlices(group, entity => {
    for (const spelling of listShownSpellings(entity)) found.push(spelling)
  })
  return found
})
