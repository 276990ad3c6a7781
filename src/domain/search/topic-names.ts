import type { Entity } from '#src/domain/entities/entity.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'
import { removeTopics } from '#src/domain/lore/topic-text.js'

/** Whether another spelling of a block holds restricted topics: an answer by it would confirm a guess. */
export const hasTopicName = ({ rows }: Pick<Entity, 'rows'>): boolean =>
  rows.some(({ tag, value }) => nameTags.has(tag) && removeTopics(value) !== value)
