import { type NameKey, nameKey } from '#protocol/atoms.js'
import { perValueInSlices } from '#src/domain/caching/per-value-in-slices.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { commaList } from '#src/domain/lore/rows/on-day.js'
import type { Row } from '#src/domain/lore/rows/row.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'
import { spellingIn } from '#src/domain/lore/rows/spelling.js'
import { forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'

/** A spelling of a block that answers may show. */
export interface ShownSpelling {
  readonly entity: Entity
  readonly text: string
  readonly key: NameKey
}

const spellingsOfRow = ({ tag, value }: Row): ReadonlyArray<string> => {
  const isOneName = nameTags.has(tag)
  if (!isOneName && tag !== 'generyczne_nazwy') return []
  const text = spellingIn({ value })
  if (text === null) return []
  return isOneName ? [text] : commaList(text)
}

/** The heading of a block, then its other spellings and common nouns with any range, each once. */
export const listShownSpellings = (entity: Entity): ReadonlyArray<ShownSpelling> => {
  const found = new Map<NameKey, ShownSpelling>([
    [entity.key, { entity, text: entity.name, key: entity.key }],
  ])
  for (const text of entity.rows.flatMap(spellingsOfRow)) {
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
