import { type Day, type NameKey, nameKey } from '#protocol/atoms.js'
import type { Config } from '#protocol/config.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { namesInField, plusForm, splitNarrators } from '#src/domain/lore/narrator-field.js'
import { scalarOn } from '#src/domain/lore/rows/on-day.js'
import type { NameIndex, NameReach } from '#src/domain/names/resolution.js'
import { resolveName } from '#src/domain/names/resolve.js'
import { graczSpelledNear } from './near-narrator.js'

/**
 * The person that one name of a narrator field means. `key` is equal for all spellings of one narrator.
 * `sure` is false where the name is an inflected form or a near spelling. No right depends on a person found
 * here.
 */
export type Folded =
  | { readonly _tag: 'Council'; readonly key: string }
  | { readonly _tag: 'Person'; readonly key: string; readonly name: string; readonly sure: boolean }
  | { readonly _tag: 'Unknown'; readonly key: string }

/** The inputs of folding. */
export interface NarratorLore {
  readonly names: NameIndex
  readonly config: Pick<Config, 'normalization.narrator_near_form_score'>
}

const council: Folded = { _tag: 'Council', key: 'rada' }

/**
 * Whether a name of a narrator field may mean a person by a form: not the council, nor names joined by a
 * conjunction.
 */
export const foldsByForm = (text: string): boolean => nameKey(text) !== council.key && plusForm(text) === null

const person = (gracz: Entity, sure: boolean): Folded => ({
  _tag: 'Person',
  key: `gracz ${gracz.key}`,
  name: gracz.name,
  sure,
})

/** The Gracz who owns a Postać on a day; null when no row names one Gracz. */
const ownerOn = (names: NameIndex, character: Entity, day: Day): Entity | null => {
  const owner = scalarOn(character.rows, 'należy_do', day)
  return owner === null ? null : resolveName(names, owner, { types: ['Gracz'], upTo: 'alias' }).entity
}

/**
 * The Gracz of a name within a reach, else the owner of the Postać; null when no block has the name. A single word
 * does not mean a Postać with a longer name: it would pass on the sessions of an unknown narrator.
 */
const foldWithin = (
  names: NameIndex,
  text: string,
  day: Day,
  upTo: NameReach,
  unknown: Folded,
): Folded | null => {
  const gracz = resolveName(names, text, { types: ['Gracz'], upTo })
  if (gracz.entity !== null) return person(gracz.entity, upTo === 'alias')
  const character = resolveName(names, text, { types: ['Postać'], upTo, wholeNames: true })
  if (character.entity === null) return gracz.ambiguous || character.ambiguous ? unknown : null
  const owner = ownerOn(names, character.entity, day)
  return owner === null ? unknown : person(owner, upTo === 'alias')
}

const foldNear = ({ names, config }: NarratorLore, key: NameKey): Folded | null => {
  const gracz = graczSpelledNear(names, key, config['normalization.narrator_near_form_score'])
  return gracz === null ? null : person(gracz, false)
}

/**
 * Maps one name of a narrator field to a person (B 4.2, FORMATS 4.8, D50): a Gracz, or the Gracz who owns the
 * Postać of that name on the day; written names first, then every form but misspellings, then the one Gracz
 * with a near spelling. Names joined by a conjunction are one name, of which only the written spelling counts.
 */
export const foldNarrator = (lore: NarratorLore, text: string, day: Day): Folded => {
  const { names } = lore
  const key = nameKey(text)
  if (key === council.key) return council
  const unknown: Folded = { _tag: 'Unknown', key }
  const written = foldWithin(names, text, day, 'alias', unknown)
  if (written !== null || !foldsByForm(text)) return written ?? unknown
  return foldWithin(names, text, day, 'lemma', unknown) ?? foldNear(lore, key) ?? unknown
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
export const narratorsOf = (lore: NarratorLore, field: string | null, day: Day): FieldNarrators => {
  const folded = splitNarrators(field ?? '').flatMap(member => {
    const whole = foldNarrator(lore, member, day)
    return whole._tag === 'Unknown' ? namesInField(member).map(one => foldNarrator(lore, one, day)) : [whole]
  })
  const known = folded.filter(one => one._tag !== 'Unknown')
  const unsure = known.some(one => one._tag === 'Person' && !one.sure)
  return {
    council: known.some(one => one._tag === 'Council'),
    persons: [...new Set(known.flatMap(one => (one._tag === 'Person' ? [one.name] : [])))],
    confidence: known.length === 0 ? 'None' : unsure ? 'Medium' : 'High',
  }
}
