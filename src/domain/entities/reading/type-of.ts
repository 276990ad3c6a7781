import { type EntityType, entityTypes, nameKey, type Status, statuses } from '#protocol/atoms.js'

const types: ReadonlyMap<string, EntityType> = new Map([
  ...entityTypes.map(type => [nameKey(type), type] as const),
  ['organizacja', 'Grupa'],
  ['organizacje', 'Grupa'],
])

const written: ReadonlyMap<string, EntityType> = new Map(entityTypes.map(type => [type, type] as const))

/**
 * The type that a text names, in any case; `Organizacja` counts as Grupa (FORMATS 10). Null for any other
 * text.
 */
export const typeOf = (text: string): EntityType | null =>
  written.get(text) ?? types.get(nameKey(text)) ?? null

const known: ReadonlyMap<string, Status> = new Map(statuses.map(status => [nameKey(status), status] as const))

const statusWritten: ReadonlyMap<string, Status> = new Map(statuses.map(status => [status, status] as const))

/** The status that a text names, in any case; null for any other text. */
export const statusOf = (text: string): Status | null =>
  statusWritten.get(text) ?? known.get(nameKey(text)) ?? null
