import type { EntityType } from '#protocol/atoms.js'
import type { UnresolvedName } from '#protocol/session-writes.js'
import { referenceOf } from '#src/domain/entities/references.js'
import { firstNames } from '#src/domain/names/name-index.js'
import { nearestNames, suggestType } from '#src/domain/names/nearest.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/** A value that a write gives to a tag, and the path of the value in the body. */
export interface GivenValue {
  readonly tag: string
  readonly value: string
  readonly field: string
}

/** How many names of a request are compared with the index; further ones get no suggestions. */
const suggestedMax = 16

/**
 * Places, owners and groups among the values of a write that mean no block or several. The write stores them
 * anyway and reports them.
 */
export const unresolvedNames = (
  { entities, names, day }: Snapshot,
  type: EntityType,
  given: ReadonlyArray<GivenValue>,
): ReadonlyArray<UnresolvedName> => {
  let compared = 0
  return given.flatMap(({ tag, value, field }): ReadonlyArray<UnresolvedName> => {
    const found = referenceOf(entities, { type }, { tag, value }, day)
    if (found === null || found._tag === 'Known') return []
    if (found._tag === 'Ambiguous') {
      const { names: suggestions, more } = firstNames(found.candidates, one => one.name)
      return [{ field, name: value, why: 'ambiguous', suggestions, ...(more === 0 ? {} : { more }) }]
    }
    compared += 1
    const suggestions = compared > suggestedMax ? [] : nearestNames(names, value, suggestType(tag))
    return [{ field, name: value, why: 'unknown', suggestions }]
  })
}
