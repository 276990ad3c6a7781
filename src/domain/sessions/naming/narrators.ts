import type { Day } from '#protocol/atoms/day.js'
import { nameKey } from '#protocol/atoms/name.js'
import { namesInField, splitNarrators } from '#src/domain/lore/narrator-field.js'
import { scalarOn } from '#src/domain/lore/rows/on-day.js'
import type { NameIndex, Resolution } from '#src/domain/names/resolution.js'
import { resolveName } from '#src/domain/names/resolve.js'

/** The person that one name of a narrator field means. `key` is equal for all spellings of one narrator. */
export type Folded =
  | { readonly _tag: 'Council'; readonly key: string }
  | { readonly _tag: 'Person'; readonly key: string; readonly name: string; readonly sure: boolean }
  | { readonly _tag: 'Unknown'; readonly key: string }

const council: Folded = { _tag: 'Council', key: 'rada' }

const person = (found: Resolution): Folded | null =>
  found.entity === null
    ? null
    : {
        _tag: 'Person',
        key: `gracz ${found.entity.key}`,
        name: found.entity.name,
        sure: found.stage === 'exact' || found.stage === 'alias',
      }

/**
 * Maps a name to a person: a Gracz, or the Gracz who owns the Postać of that name on the day (B 4.2, FORMATS
 * 4.8).
 */
export const foldNarrator = (names: NameIndex, text: string, day: Day): Folded => {
  const key = nameKey(text)
  if (key === council.key) return council
  const gracz = person(resolveName(names, text, { types: ['Gracz'], upTo: 'alias' }))
  if (gracz !== null) return gracz
  const character = resolveName(names, text, { types: ['Postać'], upTo: 'alias' }).entity
  const owner = character === null ? null : scalarOn(character.rows, 'należy_do', day)
  const owning =
    owner === null ? null : person(resolveName(names, owner, { types: ['Gracz'], upTo: 'alias' }))
  return owning ?? { _tag: 'Unknown', key }
}

/** The people of a whole narrator field, including those in a conjunction. */
export interface FieldNarrators {
  readonly council: boolean
  readonly persons: ReadonlyArray<string>
  readonly confidence: 'High' | 'Medium' | 'None'
}

/**
 * Resolves a narrator field for display (FORMATS 4.8): each member as a whole, and an unknown member by its
 * parts. Unknown parts are left out.
 */
export const narratorsOf = (names: NameIndex, field: string | null, day: Day): FieldNarrators => {
  const folded = splitNarrators(field ?? '').flatMap(member => {
    const whole = foldNarrator(names, member, day)
    return whole._tag === 'Unknown' ? namesInField(member).map(one => foldNarrator(names, one, day)) : [whole]
  })
  const known = folded.filter(one => one._tag !== 'Unknown')
  const unsure = known.some(one => one._tag === 'Person' && !one.sure)
  return {
    council: known.some(one => one._tag === 'Council'),
    persons: [...new Set(known.flatMap(one => (one._tag === 'Person' ? [one.name] : [])))],
    confidence: known.length === 0 ? 'None' : unsure ? 'Medium' : 'High',
  }
}
