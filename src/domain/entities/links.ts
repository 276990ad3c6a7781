import type { Day } from '#protocol/atoms.js'
import type { EntityLink } from '#protocol/entities.js'
import type { Entities } from './entity.js'
import { documentOn, spellingsOn, typeOn } from './state.js'

/** Every block as heading, type, document and other spellings on a day (B 2.1). */
export const linksOn = (entities: Entities, day: Day, withFile: boolean): ReadonlyArray<EntityLink> => {
  const links = entities.all.map(entity => ({
    n: entity.name,
    t: typeOn(entity, day),
    p: documentOn(entity, day),
    s: spellingsOn(entity, day),
  }))
  return withFile ? links.filter(link => link.p !== null) : links
}
