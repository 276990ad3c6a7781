import { nameKey } from '#protocol/atoms.js'
import type { Entities } from '#src/domain/entities/entity.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { nameIndexOf } from './name-index.js'
import { nearestNamesInSlices } from './nearest.js'

/**
 * Adds the nearest known names to findings about an unknown name. Looks up at most `lookedUpMax` findings,
 * because each look-up computes thousands of distances; the others stay as they are. `say` makes the sentence. Yields
 * after each look-up.
 */
export const suggestNear = function* (
  findings: ReadonlyArray<Finding>,
  entities: Entities,
  lookedUpMax: number,
  say: (near: ReadonlyArray<string>) => string,
): Sliced<ReadonlyArray<Finding>> {
  const names = nameIndexOf(entities)
  const suggested: Array<Finding> = []
  let lookedUp = 0
  for (const finding of findings) {
    const { missing, suggestion } = finding
    if (missing === undefined || lookedUp >= lookedUpMax) {
      suggested.push(finding)
      continue
    }
    lookedUp += 1
    // Adoption may have made a block with the unknown name itself.
    const found = yield* nearestNamesInSlices(names, missing.name, missing.type)
    const near = found.filter(name => nameKey(name) !== nameKey(missing.name))
    const said = near.length === 0 ? null : say(near)
    const parts = [suggestion, said].filter(part => part !== null)
    suggested.push({ ...finding, suggestion: parts.length === 0 ? null : parts.join(' ') })
    yield
  }
  return suggested
}
