import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { commaList } from '#src/domain/lore/rows/on-day.js'
import type { Row } from '#src/domain/lore/rows/row.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'
import { mayNameTopics, removeTopics } from '#src/domain/lore/topic-text.js'

const none: ReadonlySet<NameKey> = new Set()

/** The spellings that a row gives its block; empty for a row that gives none. */
export const spellingsOfRow = ({ tag, value }: Pick<Row, 'tag' | 'value'>): ReadonlyArray<string> => {
  if (nameTags.has(tag)) return value === '' ? [] : [value]
  return tag === 'generyczne_nazwy' ? commaList(value) : []
}

const isNaming = ({ tag }: Row): boolean => nameTags.has(tag) || tag === 'generyczne_nazwy'

/** Whether a row that gives names holds restricted topics, so that no answer about entities shows it. */
const isHiddenRow = (row: Row): boolean =>
  isNaming(row) && mayNameTopics(row.value) && removeTopics(row.value) !== row.value

/**
 * The keys of spellings that only rows with restricted topics give an entity. Answers to readers of entities
 * resolve without them, or a guess would confirm them. Almost always empty.
 */
const hiddenKeys = perValue((entity: Entity): ReadonlySet<NameKey> => {
  const hidden = entity.rows.filter(isHiddenRow)
  if (hidden.length === 0) return none
  const shown = new Set(
    entity.rows.flatMap(row => (isNaming(row) && !isHiddenRow(row) ? spellingsOfRow(row) : [])).map(nameKey),
  )
  const keys = hidden.flatMap(spellingsOfRow).map(nameKey)
  return new Set(keys.filter(key => key !== entity.key && !shown.has(key)))
})

/** Whether a spelling of the entity may not be confirmed. */
export const isHiddenName = (entity: Entity, key: NameKey): boolean => hiddenKeys(entity).has(key)
