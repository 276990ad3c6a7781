import { type Day, type EntityType, type NameKey, nameKey } from '#protocol/atoms.js'
import type { Config } from '#protocol/host/config.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { scalarOn } from '#src/domain/lore/rows/deciding-order.js'
import { namesInField, plusForm, splitNarrators } from '#src/domain/lore/session-header.js'
import { countUnshared, letterMask, spellingDistance } from '#src/domain/names/near-spellings.js'
import { resolveName, resolveUpToForms } from '#src/domain/names/resolve.js'
import type { NameIndex, NameReach } from '#src/domain/names/spelling-table.js'
import { type Session, sessionWithoutTopics } from '../session.js'

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

/**
 * Whether a name of a narrator field may mean a person by a form: not the council, nor names joined by a
 * conjunction.
 */
export const foldsByForm = (text: string): boolean => nameKey(text) !== council.key && plusForm(text) === null

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

/**
 * A participant: a Postać, another entity, or a name that no block has (`type` null). `key` is unique per
 * character.
 */
export interface Player {
  readonly key: string
  readonly name: string
  readonly type: EntityType | null
}

/** The participants of a session by its PU and `@Uczestnicy`, each once in any spelling. */
export const playersIn = (session: Session, names: NameIndex): ReadonlyArray<Player> => memo(names)(session)

const council: Folded = { _tag: 'Council', key: 'rada' }

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

/** The people of a whole narrator field, including those in a conjunction. */
interface FieldNarrators {
  readonly council: boolean
  readonly persons: ReadonlyArray<string>
  readonly confidence: 'High' | 'Medium' | 'None'
}

/** A heading or another spelling of a Gracz. */
interface Signature {
  readonly key: NameKey
  readonly mask: number
  readonly gracz: Entity
}

/** The spellings of Gracze by their length. */
const signatures = perValue(({ exact, alias }: NameIndex): ReadonlyMap<number, ReadonlyArray<Signature>> => {
  const byLength = new Map<number, Array<Signature>>()
  for (const index of [exact, alias])
    for (const [key, owners] of index)
      for (const gracz of owners) {
        if (gracz.type !== 'Gracz') continue
        const known = byLength.get(key.length)
        const one = { key, mask: letterMask(key), gracz }
        if (known === undefined) byLength.set(key.length, [one])
        else known.push(one)
      }
  return byLength
})

/** Length in UTF-16 code units of the longest text that is compared. */
const comparedCharsMax = 100
/** Absorbs the rounding of `1 - score`, so that three edits in twenty letters are a similarity of 0.85. */
const rounding = 1e-9

/**
 * The one Gracz with a spelling whose similarity to the text, 1 - distance / length of the longer one, is at
 * least `score`; null when no Gracz has one, or several have.
 */
const graczSpelledNear = (names: NameIndex, key: NameKey, score: number): Entity | null => {
  if (key.length > comparedCharsMax) return null
  const mask = letterMask(key)
  let near: Entity | null = null
  for (const [length, list] of signatures(names)) {
    const max = Math.floor((1 - score) * Math.max(length, key.length) + rounding)
    if (Math.abs(length - key.length) > max) continue
    for (const one of list) {
      if (one.gracz === near || countUnshared(mask, one.mask) > max) continue
      if (spellingDistance(key, one.key, max) > max) continue
      if (near !== null) return null
      near = one.gracz
    }
  }
  return near
}

const postac: ReadonlyArray<EntityType> = ['Postać']

const playerOf = (text: string, entity: Entity | null): Player =>
  entity === null
    ? { key: `? ${nameKey(text)}`, name: text, type: null }
    : { key: `${entity.type} ${entity.key}`, name: entity.name, type: entity.type }

/** PU go to written names alone (D50). */
const findCreditedPlayer = (names: NameIndex, text: string): Player =>
  playerOf(
    text,
    resolveName(names, text, { types: postac, upTo: 'alias' }).entity ??
      resolveName(names, text, { upTo: 'alias' }).entity,
  )

const findStatedPlayer = (names: NameIndex, text: string): Player =>
  playerOf(text, resolveUpToForms(names, text, [postac, null]).found.entity)

const memoize = (resolve: (text: string) => Player): ((text: string) => Player) => {
  const known = new Map<string, Player>()
  return text => {
    const found = known.get(text) ?? resolve(text)
    known.set(text, found)
    return found
  }
}

const memo = perValue((names: NameIndex) => {
  const credited = memoize(text => findCreditedPlayer(names, text))
  const stated = memoize(text => findStatedPlayer(names, text))
  return perValue((session: Session): ReadonlyArray<Player> => {
    const players = new Map<string, Player>()
    const { points, participants } = sessionWithoutTopics(session)
    const all = [...points.map(one => credited(one.character)), ...participants.map(stated)]
    for (const found of all) if (!players.has(found.key)) players.set(found.key, found)
    return [...players.values()]
  })
})
