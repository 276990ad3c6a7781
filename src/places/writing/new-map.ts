import type { TagValues } from '#protocol/entities/write.js'
import { type MapCreate, mapMetadata } from '#protocol/places/write-routes.js'
import { tagName } from '#src/entities/writing/wanted-tag.js'

/** The tags of a new Mapa: its metadata, what `tags` says, and a status where that says none (A 4.8). */
export const mapTags = (body: MapCreate): TagValues => {
  const told = mapMetadata.flatMap((key): ReadonlyArray<readonly [string, string]> => {
    const value = body[key]
    return value === undefined ? [] : [[key, String(value)]]
  })
  const tags = body.tags ?? {}
  const named = new Set(Object.keys(tags).map(tagName))
  const status = named.has('status') ? [] : ([['status', 'Aktywny']] as const)
  const metadata = told.map(([key, value]) => [named.has(key) ? `@${key}` : key, value] as const)
  return Object.fromEntries([...status, ...metadata, ...Object.entries(tags)])
}
