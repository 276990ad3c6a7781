import type { EntityType } from '#protocol/atoms.js'

/** A type with its English article at the beginning of a sentence: `A Postać`, but `An NPC`. */
export const aType = (type: EntityType): string => `${type === 'NPC' ? 'An' : 'A'} ${type}`
