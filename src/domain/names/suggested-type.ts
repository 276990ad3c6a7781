import type { EntityType } from '#protocol/atoms.js'

const suggestedTypes: ReadonlyMap<string, EntityType> = new Map([
  ['lokacja', 'Lokacja'],
  ['drzwi', 'Lokacja'],
  ['grupa', 'Grupa'],
  ['region', 'Region'],
])

/** The type whose headings are suggested for a value of a tag; null: any. */
export const suggestType = (tag: string): EntityType | null => suggestedTypes.get(tag) ?? null
