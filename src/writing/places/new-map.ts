import type { TagValues } from '#protocol/entity-writes.js'
import { type MapCreate, mapMetadata } from '#protocol/places.js'
import { tagName } from '../entities/wanted-tag.js'

/**
 * The tags of a new Mapa: its metadata, the `tags` of the body, and a default status (A 4.8). A tag given in
 * both becomes a list, so that the rule for its values refuses it and no value is lost.
 */
export const mapTags = (body: MapCreate): TagValues => {
  const said = new Map<string, ReadonlyArray<string>>()
  const say = (name: string, value: TagValues[string]): void => {
    const tag = tagName(name)
    said.set(tag, [...(said.get(tag) ?? []), ...(typeof value === 'string' ? [value] : value)])
  }
  for (const key of mapMetadata) if (body[key] !== undefined) say(key, String(body[key]))
  for (const [name, value] of Object.entries(body.tags ?? {})) say(name, value)
  if (!said.has('status')) say('status', 'Aktywny')
  return Object.fromEntries(said)
}
