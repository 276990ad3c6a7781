import type { EntityType } from '#protocol/atoms/vocabulary.js'

/** A type with its English article, at the head of a sentence: `A Postać`, but `An NPC`, which is read by letter. */
export const aType = (type: EntityType): string => `${type === 'NPC' ? 'An' : 'A'} ${type}`
