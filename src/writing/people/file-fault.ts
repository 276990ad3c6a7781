import { nameKey } from '#protocol/atoms/name.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { pathSegment, segmentFault } from '#src/domain/lore/path-segment.js'

/**
 * Why no file can be made for a Postać; null when it can. A character file is found by its name alone: under a name
 * that had to be changed to make a path it would not be found again, or be that of another Postać
 * (docs/spec/security.md#security-4-8-26).
 */
export const fileFault = ({ name, key }: Pick<Entity, 'name' | 'key'>): string | null => {
  const fault = segmentFault(`${name}.md`) ?? (nameKey(pathSegment(name)) === key ? null : 'makes no path')
  return fault === null ? null : `can be no file, for it ${fault}: rename the Postać first`
}
