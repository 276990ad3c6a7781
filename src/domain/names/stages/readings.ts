import type { NameKey } from '#protocol/atoms/name.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { byRank } from '#src/domain/entities/reading/collect.js'
import { type PathReading, type PhraseReading, readPaths } from '../forms/phrase.js'
import type { WordPlace } from '../forms/spelling-table.js'
import type { NameForms, NameIndex, ResolveOptions } from '../resolution.js'
import { ownersMax, spellingOwners } from './owners.js'

/** A text read as a form of a name of these blocks. `score`: the lower the surer. */
export interface OwnedReading extends PhraseReading {
  readonly owners: ReadonlyArray<Entity>
  readonly score: number
}

const computedScore = 1

/** What lets a reading count less: missing diacritics most, then the rank of the form and a computed name. */
const scoreOf = (
  { ranks, isFolded }: Pick<PhraseReading, 'ranks' | 'isFolded'>,
  isComputed: boolean,
  isSingle: boolean,
): number => ranks + (isComputed ? computedScore : 0) + (isFolded ? 3 : 0) + (isSingle ? 3 : 0)

/** Whether only blanks, hyphens or punctuation differ from the name. */
export const isAsWritten = ({ isBase, isFolded }: Pick<PhraseReading, 'isBase' | 'isFolded'>): boolean =>
  isBase && !isFolded

/** The readings of a text as forms of whole names; each list is computed when it is asked for. */
export interface OwnedForms {
  /** Those of the lowest score. */
  readonly surest: () => ReadonlyArray<OwnedReading>
  /** Those as computed names without any inflection. */
  readonly computed: () => ReadonlyArray<OwnedReading>
}

export const noOwnedForms: OwnedForms = { surest: () => [], computed: () => [] }

/** Spellings that one path leads to, all with the same score. */
interface PathEnds {
  readonly path: PathReading
  readonly isComputed: boolean
  readonly score: number
}

/** How many spellings one text is read as a form of. */
const spellingsMax = 4_000

/** Reads the paths in turn until the owners are more than a name may have. */
const readEnds = (
  names: NameIndex,
  { table, corrections }: NameForms,
  form: string,
  options: ResolveOptions,
) => {
  let left = spellingsMax
  return (ends: ReadonlyArray<PathEnds>): ReadonlyArray<OwnedReading> => {
    const found: Array<OwnedReading> = []
    let count = 0
    for (const { path, isComputed, score } of ends)
      for (const spelling of table.endsAt(path.node, isComputed)) {
        if (count >= ownersMax || left === 0) return found
        left -= 1
        const all = spellingOwners(names, spelling, options)
        const without = corrections.typesWithout(form, spelling)
        const owners =
          without === undefined ? all : all.filter(({ type }) => !without.has(null) && !without.has(type))
        if (owners.length === 0) continue
        count += owners.length
        found.push({ ...path, spelling, isComputed, owners, score })
      }
    return found
  }
}

/** The readings of the words that name blocks which the options accept. */
export const readOwnedForms = (
  names: NameIndex,
  forms: NameForms,
  tokens: ReadonlyArray<string>,
  options: ResolveOptions,
): OwnedForms => {
  const paths = readPaths(forms.table, tokens)
  if (paths.length === 0) return noOwnedForms
  const ends: Array<PathEnds> = []
  for (const path of paths) {
    const score = scoreOf(path, false, false)
    ends.push({ path, isComputed: false, score }, { path, isComputed: true, score: score + computedScore })
  }
  const read = readEnds(names, forms, tokens.join(' '), options)
  return {
    surest: () => {
      for (const score of [...new Set(ends.map(one => one.score))].sort((one, other) => one - other)) {
        const found = read(ends.filter(one => one.score === score))
        if (found.length > 0) return found
      }
      return []
    },
    computed: () => read(ends.filter(({ path, isComputed }) => isComputed && isAsWritten(path))),
  }
}

const persons: ReadonlySet<string> = new Set(['Postać', 'NPC', 'Gracz'])
/** A word that occurs in more names than these stands for no block. */
const placesMax = 1_000

interface OnlyOwner {
  readonly owner: Entity
  readonly spelling: NameKey
}

/** The one block that has the word in its names; null where none or several have it, or it may not stand alone. */
const onlyOwner = (
  names: NameIndex,
  places: ReadonlyArray<WordPlace>,
  options: ResolveOptions,
): OnlyOwner | null => {
  let owner: Entity | null = null
  let spelling: NameKey | null = null
  for (const place of places)
    for (const one of spellingOwners(names, place.spelling, options)) {
      if (owner !== null && owner !== one) return null
      owner = one
      if (place.isHead || persons.has(one.type)) spelling ??= place.spelling
    }
  return owner === null || spelling === null ? null : { owner, spelling }
}

/** A single word as a form of a word that stands in the names of one block alone (B 4.3, computed aliases). */
export const readOwnWord = (
  names: NameIndex,
  { table }: NameForms,
  tokens: ReadonlyArray<string>,
  options: ResolveOptions,
): ReadonlyArray<OwnedReading> => {
  const [token, second] = tokens
  if (token === undefined || second !== undefined || options.wholeNames === true) return []
  return table.words.lookUp(token).flatMap(hit => {
    const places = table.placesOf(hit.word, placesMax)
    const only = places === null || places.length === 0 ? null : onlyOwner(names, places, options)
    if (only === null) return []
    const reading = {
      ...hit,
      cases: hit.surestCases,
      ranks: hit.rank,
      spelling: only.spelling,
      isComputed: true,
    }
    return [{ ...reading, owners: [only.owner], score: scoreOf(reading, true, true) }]
  })
}

const byPlace = (one: Entity, other: Entity): number =>
  one.file === other.file ? one.line - other.line : one.file < other.file ? -1 : 1

/** The surest readings of a text: their blocks, and the reading of each. */
export interface Surest {
  readonly owners: ReadonlyArray<Entity>
  readonly readingOf: (owner: Entity) => OwnedReading | undefined
}

const joinOwners = (readings: ReadonlyArray<OwnedReading>): Surest => {
  const byOwner = new Map<Entity, OwnedReading>()
  for (const reading of readings)
    for (const owner of reading.owners.slice(0, ownersMax)) {
      const known = byOwner.get(owner)
      if (known === undefined || (known.isAltered && !reading.isAltered)) byOwner.set(owner, reading)
    }
  const isAltered = (owner: Entity): number => Number(byOwner.get(owner)?.isAltered)
  const owners = [...byOwner.keys()].sort(
    (one, other) => isAltered(one) - isAltered(other) || byPlace(one, other),
  )
  return { owners: byRank(owners).slice(0, ownersMax), readingOf: owner => byOwner.get(owner) }
}

/** The surest readings; among equal types the blocks whose name keeps its stem come first. */
export const surestOf = (readings: ReadonlyArray<OwnedReading>): Surest => {
  const least = Math.min(...readings.map(({ score }) => score))
  const surest = readings.filter(({ score }) => score === least)
  const [first, second] = surest
  // One name may have thousands of owners, which are listed already.
  return first !== undefined && second === undefined
    ? { owners: first.owners, readingOf: () => first }
    : joinOwners(surest)
}
