import { nameKey } from '#protocol/atoms.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { pathSegment, segmentFault } from '#src/domain/lore/layout.js'

/**
 * Why a Postać cannot have a file; null when it can. A character file is found by its name alone: under an
 * altered name it would not be found again, or would belong to another Postać
 * (docs/spec/security.md#security-4-8-26).
 */
export const fileFault = ({ name, key }: Pick<Entity, 'name' | 'key'>): string | null => {
  const fault = segmentFault(`${name}.md`) ?? (nameKey(pathSegment(name)) === key ? null : 'cannot be a path')
  return fault === null ? null : `cannot be a file name, because it ${fault}; rename the Postać first`
}
