import { type Day, type EntityType, type NameKey, nameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { homonymsMax } from '#src/domain/entities/entities.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { byRank } from '#src/domain/entities/reading.js'
import { activeOn, type Range } from '#src/domain/lore/rows/days.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'
import { isAdjectiveLike } from '#src/domain/polish/adjective.js'
import { acc, gen, nom, pluralOf, rare, singularCases, sure, voc } from '#src/domain/polish/word-form.js'
import { type PathReading, type PhraseReading, readPaths } from './phrase.js'
import type { NameForms, NameIndex, ResolveOptions, WordPlace } from './spelling-table.js'
import { splitName } from './word-table.js'

/** A text read as a form of a name of these blocks. `score`: the lower the surer. */
export interface OwnedReading extends PhraseReading {
  readonly owners: ReadonlyArray<Entity>
  readonly score: number
}

/** Whether only blanks, hyphens or punctuation differ from the name. */
export const isAsWritten = ({ isBase, isFolded }: Pick<PhraseReading, 'isBase' | 'isFolded'>): boolean =>
  isBase && !isFolded

/** The readings of a text as forms of whole names, or of single words of names; the surest alone. */
export interface OwnedForms {
  readonly readings: ReadonlyArray<OwnedReading>
  /** `odmiany.tsv` takes the text from the blocks that it would mean; no other block gets it. */
  readonly isRemoved: boolean
}

export const noOwnedForms: OwnedForms = { readings: [], isRemoved: false }

/** The readings of the words that name blocks which the options accept. */
export const readOwnedForms = (
  names: NameIndex,
  forms: NameForms,
  tokens: ReadonlyArray<string>,
  options: ResolveOptions,
): OwnedForms => {
  return withoutRemoved(forms, tokens, surestReadings(names, forms, tokens, options))
}

/** A single word as a form of a word that stands in the names of one block alone (B 4.3, computed aliases). */
export const readOwnWord = (
  names: NameIndex,
  forms: NameForms,
  tokens: ReadonlyArray<string>,
  options: ResolveOptions,
): OwnedForms => {
  const { table } = forms
  const [token, second] = tokens
  if (token === undefined || second !== undefined || options.wholeNames === true) return noOwnedForms
  const readings = table.words.lookUp(token).flatMap(hit => {
    const places = table.placesOf(hit.word, placesMax)
    const only = places === null || places.length === 0 ? null : onlyOwner(names, places, options)
    if (only === null || ownersOfGender([only.owner], hit, options).length === 0) return []
    const reading = {
      ...hit,
      cases: hit.surestCases,
      ranks: hit.rank,
      spelling: only.spelling,
      isComputed: true,
    }
    return [{ ...reading, owners: [only.owner], score: scoreOf(reading, true, true) }]
  })
  return withoutRemoved(forms, tokens, readings)
}

/** The surest readings of a text: their blocks, and the reading of each. */
export interface Surest {
  readonly owners: ReadonlyArray<Entity>
  readonly readingOf: (owner: Entity) => OwnedReading | undefined
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

/**
 * The most owners of a name that are filtered one by one: one more than a name may have, so that
 * callers see that it has more.
 */
export const ownersMax = homonymsMax + 1

/** The ranges of every spelling that an entity has beside its heading. */
export const rangesOfNames = perValue((entity: Entity): ReadonlyMap<NameKey, ReadonlyArray<Range>> => {
  const ranges = new Map<NameKey, Array<Range>>()
  for (const { tag, value, range } of entity.rows) {
    if (!nameTags.has(tag)) continue
    const key = nameKey(value)
    const known = ranges.get(key)
    if (known === undefined) ranges.set(key, [range])
    else known.push(range)
  }
  return ranges
})

/** The blocks with this heading. */
export const headingOwners = (
  names: NameIndex,
  key: NameKey,
  options: ResolveOptions,
): ReadonlyArray<Entity> => acceptOwners(names.exact.get(key), options)

/** The blocks with this alias, on the day of the options where they name one. */
export const aliasOwners = (
  names: NameIndex,
  key: NameKey,
  options: ResolveOptions,
): ReadonlyArray<Entity> => {
  const owners = names.alias.get(key)
  const { day, within } = options
  if (owners === undefined || day === undefined) return acceptOwners(owners, options)
  const isAccepted = (entity: Entity): boolean => within?.(entity) !== false && isNamedOn(entity, key, day)
  return firstOf(ofType(owners, options), isAccepted)
}

/** The blocks with this generic name. */
export const genericOwners = (
  names: NameIndex,
  key: NameKey,
  options: ResolveOptions,
): ReadonlyArray<Entity> => acceptOwners(names.generic.get(key), options)

/** The blocks of a spelling: by heading, else by alias, else by generic name. */
export const spellingOwners = (
  names: NameIndex,
  key: NameKey,
  options: ResolveOptions,
): ReadonlyArray<Entity> => {
  const byHeading = headingOwners(names, key, options)
  if (byHeading.length > 0) return byHeading
  const byAlias = aliasOwners(names, key, options)
  return byAlias.length > 0 ? byAlias : genericOwners(names, key, options)
}

const computedScore = 1

/** What lets a reading count less: missing diacritics most, then the rank of the form and a computed name. */
const scoreOf = (
  {
    ranks,
    cases,
    isFolded,
    isOtherGender,
  }: Pick<PhraseReading, 'ranks' | 'cases' | 'isFolded' | 'isOtherGender'>,
  isComputed: boolean,
  isSingle: boolean,
): number =>
  ranks +
  (isComputed ? computedScore : 0) +
  (isOtherGender && (cases & singularCases) !== 0 ? 1 : 0) +
  (isFolded ? 3 : 0) +
  (isSingle ? 3 : 0)

/** Spellings that one path leads to, all with the same score. */
interface PathEnds {
  readonly path: PathReading
  readonly isComputed: boolean
  readonly score: number
}

/** A reading, and its place in the trie of names. */
interface FoundReading extends OwnedReading {
  readonly node: number
}

/** How many spellings one text is read as a form of. */
const spellingsMax = 4_000

const persons: ReadonlySet<string> = new Set(['Postać', 'NPC', 'Gracz'])
const placeTypes: ReadonlySet<string> = new Set(['Lokacja', 'Mapa', 'Region'])

/**
 * The owners of whom a reading is a form. What grammar makes of a name for the other gender is no form (Kowalska of
 * Kowalski), and neither is the genitive of several without ending of a person (Adrian of Adriana), unless the options
 * take every gender.
 */
const ownersOfGender = (
  owners: ReadonlyArray<Entity>,
  { isOtherGender, cases }: Pick<PhraseReading, 'isOtherGender' | 'cases'>,
  { anyGender }: ResolveOptions,
): ReadonlyArray<Entity> => {
  if (!isOtherGender || anyGender === true) return owners
  return (cases & singularCases) !== 0 ? [] : owners.filter(({ type }) => !persons.has(type))
}

/** Reads the paths in turn until the owners are more than a name may have. */
const readEnds = (names: NameIndex, { table }: NameForms, options: ResolveOptions) => {
  let left = spellingsMax
  return (ends: ReadonlyArray<PathEnds>): ReadonlyArray<FoundReading> => {
    const found: Array<FoundReading> = []
    let count = 0
    for (const { path, isComputed, score } of ends)
      for (const spelling of table.endsAt(path.node, isComputed)) {
        if (count >= ownersMax || left === 0) return found
        left -= 1
        const owners = ownersOfGender(spellingOwners(names, spelling, options), path, options)
        if (owners.length === 0) continue
        count += owners.length
        found.push({ ...path, spelling, isComputed, owners, score })
      }
    return found
  }
}

/** The readings of the lowest score among ends in the order of their scores, which are read up to it. */
const readLowest = (
  ends: ReadonlyArray<PathEnds>,
  read: ReturnType<typeof readEnds>,
): ReadonlyArray<FoundReading> => {
  for (const score of new Set(ends.map(one => one.score))) {
    const found = read(ends.filter(one => one.score === score))
    if (found.length > 0) return found
  }
  return []
}

const lowest = (readings: ReadonlyArray<FoundReading>): ReadonlyArray<FoundReading> => {
  const least = Math.min(...readings.map(({ score }) => score))
  return readings.filter(({ score }) => score === least)
}

/** Readings of more names than these are not compared with each other. */
const comparedMax = 12

const isSingular = ({ cases }: FoundReading): boolean => (cases & singularCases) !== 0
const isPlural = ({ cases }: FoundReading): boolean => (cases & ~singularCases) !== 0

/**
 * How the name of one reading is the plural of that of another one (Kowale of Kowal): `neuter` where it is also the
 * genitive (Jeziora), `weak` where another kind of name may look so (Mazarini of Mazarin), or one person's surname is
 * as likely (Kowalscy); null: it is not, or each is as well that of the other (Wieża, Wieże).
 */
const pluralRelation = ({ table }: NameForms) => {
  const readAs = (many: FoundReading, one: FoundReading): PathReading | undefined =>
    readPaths(table, splitName(many.spelling)).find(
      ({ node, cases, isOtherGender, isFolded, isBase }) =>
        node === one.node && !isBase && !isFolded && !isOtherGender && (cases & pluralOf(nom)) !== 0,
    )
  return (many: FoundReading, one: FoundReading): 'sure' | 'neuter' | 'weak' | null => {
    if (many.node === one.node || isAdjectiveLike(many.spelling)) return null
    const found = readAs(many, one)
    if (found === undefined || found.rank === rare) return null
    const opposite = readAs(one, many)
    if (opposite !== undefined && opposite.rank <= found.rank) return null
    if (/[oe]$/u.test(one.spelling)) return 'neuter'
    const isFamily = /[csz]cy$/u.test(many.spelling)
    return !isFamily && (found.rank === sure || found.isAltered) ? 'sure' : 'weak'
  }
}

/** Whether the name of a reading is that of the other gender beside another one: Cichy beside Cicha. */
const isOtherGenderOf = ({ table }: NameForms, reading: FoundReading, own: FoundReading): boolean =>
  reading.isOtherGender &&
  !own.isOtherGender &&
  readPaths(table, splitName(own.spelling)).some(
    ({ node, isOtherGender }) => node === reading.node && isOtherGender,
  )

/**
 * The surest readings in the gender and number of their names. A form of the other gender yields to the block that has
 * that gender. Where one heading is the plural of another one, it lends no singular form that the other has, and the
 * other no plural form. Of other names that are equally sure a singular form counts before a plural one: Romany is
 * Romana, and not several of Roman.
 */
const surestWritten = (
  forms: NameForms,
  text: string,
  readings: ReadonlyArray<FoundReading>,
): ReadonlyArray<FoundReading> => {
  // Neuters have no such forms: Stasiów is several of Stasio.
  const isOfMen = /(?:ów|owie)$/u.test(text)
  if (readings.length < 2 || readings.length > comparedMax) return lowest(readings)
  const relation = pluralRelation(forms)
  const yields = (reading: FoundReading, other: FoundReading): boolean => {
    if (reading.isFolded || other.isFolded) return false
    if (isOtherGenderOf(forms, reading, other)) return true
    if (isSingular(other) && !isPlural(other) && other.score <= reading.score)
      return relation(reading, other) !== null
    if (isSingular(reading) || !isPlural(other) || other.rank === rare) return false
    const found = relation(other, reading)
    return found === 'sure' || (found === 'neuter' && other.score <= reading.score && !isOfMen)
  }
  const own = readings.filter(one => !readings.some(other => yields(one, other)))
  const surest = lowest(own)
  const isPluralBeside = (reading: FoundReading, other: FoundReading): boolean =>
    !isSingular(reading) && isSingular(other) && relation(reading, other) === null
  const inNumber = surest.filter(one => !surest.some(other => isPluralBeside(one, other)))
  const [first] = inNumber
  const others = own.filter(
    one =>
      !inNumber.includes(one) &&
      isPlural(one) &&
      inNumber.some(other => !isSingular(other) && relation(one, other) === 'weak'),
  )
  return [...inNumber, ...others.map(one => ({ ...one, score: first?.score ?? one.score }))]
}

/**
 * Whether a reading is the name without its ending as a genitive of several, which masculine names do not have: Wilk of
 * Wilki. Of a place in the plural, and with a closed vowel, it is one (Gór).
 */
const isBareStem = (reading: FoundReading, text: string): boolean => {
  const { spelling, cases, isAltered, isBase, isOtherGender, owners } = reading
  if (isBase || isAltered || text.length >= spelling.length || (cases & ~pluralOf(gen | acc)) !== 0)
    return false
  if (/[óą][^aeiouyąęó]+$/u.test(text)) return false
  return isOtherGender || !owners.every(({ type }) => placeTypes.has(type))
}

/** Whether a reading is several of one name, and nothing else: Antoni of Anton. */
const isPluralNominative = ({ cases, isBase }: FoundReading): boolean =>
  !isBase && (cases & ~pluralOf(nom | acc | voc)) === 0

/**
 * The surest readings. A computed name counts where the text is no usual form of a written one: Lasu is Las, and not
 * Król Lasu. It stays beside a reading as a bare stem, which either may be (Adrian of Adriana and Kupiec Adrian), and
 * comes before several of one name (Antoni of Anton and Kupiec Antoni).
 */
const surestReadings = (
  names: NameIndex,
  forms: NameForms,
  tokens: ReadonlyArray<string>,
  options: ResolveOptions,
): ReadonlyArray<FoundReading> => {
  const paths = readPaths(forms.table, tokens)
  if (paths.length === 0) return []
  const endsOf = (isComputed: boolean): ReadonlyArray<PathEnds> =>
    paths
      .map(path => ({ path, isComputed, score: scoreOf(path, isComputed, false) }))
      .sort((one, other) => one.score - other.score)
  const read = readEnds(names, forms, options)
  const text = tokens.join(' ')
  const written = surestWritten(forms, text, read(endsOf(false)))
  const isUsual = written.some(one => one.rank !== rare && !one.isFolded && !isPluralNominative(one))
  const areBare = isUsual && written.every(one => isBareStem(one, text))
  if (isUsual && !areBare) return written
  const computed = readLowest(endsOf(true), read)
  const asWritten = computed.filter(isAsWritten)
  if (areBare) return [...asWritten, ...written].map(one => ({ ...one, score: 0 }))
  if (asWritten.length === 0) return lowest([...written, ...computed])
  return lowest([...written.filter(one => !isPluralNominative(one)), ...asWritten])
}

/** The readings without the blocks that lose the text by `odmiany.tsv`. */
const withoutRemoved = (
  { corrections }: NameForms,
  tokens: ReadonlyArray<string>,
  surest: ReadonlyArray<OwnedReading>,
): OwnedForms => {
  const readings = surest.flatMap(reading => {
    const without = corrections.typesWithout(tokens, reading.isFolded, reading.spelling)
    if (without === undefined) return [reading]
    const owners = reading.owners.filter(({ type }) => !without.has(null) && !without.has(type))
    return owners.length === 0 ? [] : [{ ...reading, owners }]
  })
  return { readings, isRemoved: surest.length > 0 && readings.length === 0 }
}

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

const byPlace = (one: Entity, other: Entity): number =>
  one.file === other.file ? one.line - other.line : one.file < other.file ? -1 : 1

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

const none: ReadonlyArray<Entity> = []

/** The owners of the given types, cached per group of owners, because thousands may share a name. */
const ofTypes = perValue((owners: ReadonlyArray<Entity>) => {
  const known = new Map<string, ReadonlyArray<Entity>>()
  return (types: ReadonlyArray<EntityType>): ReadonlyArray<Entity> => {
    const asked = types.join()
    const found = known.get(asked) ?? byRank(owners.filter(entity => types.includes(entity.type)))
    known.set(asked, found)
    return found
  }
})

const ranked = perValue(byRank)

const firstOf = (
  owners: ReadonlyArray<Entity>,
  isAccepted: (entity: Entity) => boolean,
): ReadonlyArray<Entity> => {
  const found: Array<Entity> = []
  for (const owner of owners) {
    if (isAccepted(owner)) found.push(owner)
    if (found.length === ownersMax) break
  }
  return found
}

const ofType = (owners: ReadonlyArray<Entity>, { types }: ResolveOptions): ReadonlyArray<Entity> =>
  types === undefined ? ranked(owners) : ofTypes(owners)(types)

/** The owners that the options accept, in the order of D12; the type filter comes before anything is judged. */
const acceptOwners = (
  owners: ReadonlyArray<Entity> | undefined,
  options: ResolveOptions,
): ReadonlyArray<Entity> => {
  if (owners === undefined) return none
  const typed = ofType(owners, options)
  return options.within === undefined ? typed : firstOf(typed, options.within)
}

const isNamedOn = (entity: Entity, key: NameKey, day: Day): boolean =>
  rangesOfNames(entity)
    .get(key)
    ?.some(range => activeOn(range, day)) === true
