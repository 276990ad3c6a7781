import { distanceMax, foldSigns, type NameKey, nameCharsMax, nameKey } from '#protocol/atoms.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { allCases, caseNames } from '#src/domain/polish/word-form.js'
import { atOnce, type Sliced, units } from '#src/domain/slicing/sliced.js'
import {
  headingOwners,
  isAsWritten,
  noOwnedForms,
  type OwnedForms,
  type OwnedReading,
  ownersMax,
  readOwnedForms,
  readOwnWord,
  type Surest,
  spellingOwners,
  surestOf,
} from './readings.js'
import type { NameIndex, NameReading, ResolveOptions, StageHit } from './spelling-table.js'
import { splitName } from './word-table.js'

/**
 * Computed aliases: the name without its title, a quoted nickname, half of a double surname, then a word that one block
 * alone owns, each where no other block has a form like it.
 */
export const findComputedAlias = (names: NameIndex, query: NameAsked): StageHit | null => {
  if (names.forms === null) return null
  const { readings, isRemoved } = query.forms()
  if (readings.length > 0)
    return readings.every(isComputedAlias) ? pickSurest(readings, false, query, asComputed) : null
  if (isRemoved) return null
  return pickSurest(query.ownWord().readings.filter(isAsWritten), true, query, asComputed)
}

/** Declension and alternation: the stage is that of the form. */
export const findForm = (names: NameIndex, query: NameAsked): StageHit | null => {
  if (names.forms === null) return null
  const added = findAddedForm(names, query)
  if (added !== null) return added
  const { readings, isRemoved } = query.forms()
  if (readings.length > 0) return pickSurest(readings, false, query, asForm)
  return isRemoved ? null : pickSurest(query.ownWord().readings, true, query, asForm)
}

/** The names that `lematy.tsv` gives for the text. */
export const findLemma = (names: NameIndex, query: NameAsked): StageHit | null => {
  const lemmas = names.language.lemmas.get(query.key)
  if (lemmas === undefined) return null
  const candidates = joinFirst(lemmas.map(lemma => spellingOwners(names, query.keyOf(lemma), query.options)))
  if (candidates.length === 0) return null
  const readingOf = (entity: Entity): Omit<NameReading, 'entity'> => ({
    form: entity.name,
    cases: [],
    rule: 'lematy.tsv',
  })
  return { stage: 'lemma', confidence: 0.9, candidates, readingOf, cases: allCases }
}

/**
 * The name behind titles in any case: `królowi Boranowi`. `findRest` resolves what is left. The title's case should be
 * that of the name; where it is not, the confidence is lower.
 */
export const findBehindTitle = (
  names: NameIndex,
  query: NameAsked,
  findRest: (text: string) => StageHit | null,
): StageHit | null => {
  if (names.forms === null || query.isRemoved()) return null
  const { titles } = names.forms
  let [rest, cases] = [foldSigns(query.text), -1]
  for (const token of query.tokens().slice(0, titlesMax)) {
    const titleCases = titles.get(token)
    if (titleCases === undefined) return null
    cases &= titleCases
    const after = rest.replace(firstWord, '')
    if (after === rest || after.trim() === '') return null
    rest = after
    const found = findRest(rest)
    if (found === null) continue
    const doesAgree = (found.cases & cases) !== 0
    return {
      ...found,
      stage: 'title',
      confidence: Math.round((0.85 - (doesAgree ? 0 : disagreement)) * 100) / 100,
      readingOf: entity => {
        const reading = found.readingOf(entity)
        return { ...reading, rule: `title ${reading.rule}`.trim() }
      },
    }
  }
  return null
}

/** How far a text of this length may be from a name. */
export const fuzzyLimit = (length: number, maxDistance = distanceMax): number =>
  Math.min(maxDistance, distanceMax, lengthsMin.filter(min => length >= min).length)

/**
 * The one block whose heading or alias is nearest. None where another block is as near or one letter farther: a guess
 * without a margin is no answer. No block is at distance 0, which an earlier stage finds, so two blocks within 2
 * letters end the search. Yields every few thousand spellings, and at the end of each turn of the filter.
 */
export const findNearestInSlices = function* (
  names: NameIndex,
  { key: asked, options, isRemoved }: NameAsked,
): Sliced<StageHit | null> {
  if (isRemoved()) return null
  const limit = fuzzyLimit(asked.length, options.maxDistance)
  const spellings = limit < 1 ? undefined : names.forms?.table.spellings
  let [close, far] = [noneMet, noneMet]
  let cost = 0
  for (const near of spellings?.near(asked, limit) ?? []) {
    if (typeof near === 'number') {
      yield near * units.link + cost
      cost = 0
      continue
    }
    cost += units.nearSpelling
    if (near.distance <= closeMax || !far.isShared)
      for (const owner of yield* ownersInTurns(names, near.key, options)) {
        if (near.distance > closeMax) far = meet(far, { ...near, owner })
        else close = meet(close, { ...near, owner })
        if (close.isShared) return null
      }
  }
  const nearest = close.nearest ?? far.nearest
  const rivals = nearest !== null && nearest.distance >= closeMax ? meet(far, nearest) : noneMet
  return nearest === null || rivals.isShared ? null : hitOf(nearest, asked)
}

/** `findNearestInSlices` at once. */
export const findNearest = (names: NameIndex, query: NameAsked): StageHit | null =>
  atOnce(findNearestInSlices(names, query))

/** The input of a stage. What several stages need is computed once, by the first that asks. */
export interface NameAsked {
  readonly text: string
  readonly key: NameKey
  readonly options: ResolveOptions
  readonly tokens: () => ReadonlyArray<string>
  /** The readings as forms of whole names; none where the index has no forms. */
  readonly forms: () => OwnedForms
  /** The readings as a form of a word that one block alone has in its names. */
  readonly ownWord: () => OwnedForms
  /** `odmiany.tsv` takes the text from the blocks that it would mean; no later stage gives it to another one. */
  readonly isRemoved: () => boolean
  readonly keyOf: (text: string) => NameKey
}

export const makeQuery = (names: NameIndex, text: string, options: ResolveOptions): NameAsked => {
  const key = nameKey(text)
  // Only a heading or alias of the same length could match a longer text.
  const tokens = once(() => (key.length > nameCharsMax ? [] : splitName(key)))
  const forms = once(() =>
    names.forms === null ? noOwnedForms : readOwnedForms(names, names.forms, tokens(), options),
  )
  const ownWord = once(() =>
    names.forms === null ? noOwnedForms : readOwnWord(names, names.forms, tokens(), options),
  )
  const isRemoved = (): boolean => forms().isRemoved || ownWord().isRemoved
  return { text, key, options, tokens, forms, ownWord, isRemoved, keyOf: nameKey }
}

/** What is taken from the confidence of a stage for each thing that makes a reading less sure. */
const deductions = { rank: 0.05, computed: 0.05, word: 0.05, folded: 0.1, lowerCase: 0.05 }

const isLowerCase = (text: string): boolean => /^\p{Ll}/u.test(text)

const hundredths = (confidence: number): number => Math.round(confidence * 100) / 100

const confidenceOf = (
  base: number,
  reading: OwnedReading,
  isSingle: boolean,
  text: string,
  owner: Entity | undefined,
): number =>
  hundredths(
    base -
      reading.rank * deductions.rank -
      (reading.isComputed ? deductions.computed : 0) -
      (isSingle ? deductions.word : 0) -
      (reading.isFolded ? deductions.folded : 0) -
      (isLowerCase(text) && owner !== undefined && !isLowerCase(owner.name) ? deductions.lowerCase : 0),
  )

/** What was exchanged, as `a>y`: the ends of spelling and text after what they share. */
const rewriteOf = (spelling: string, text: string): string => {
  let at = 0
  while (at < spelling.length && spelling[at] === text[at]) at += 1
  return `${spelling.slice(at)}>${text.slice(at)}`
}

const ruleOf = ({ isComputed, isFolded, spelling }: OwnedReading, text: string): string =>
  [isComputed ? 'computed' : '', isFolded ? 'diacritics' : '', rewriteOf(spelling, nameKey(text))]
    .filter(part => part !== '')
    .join(' ')

const showReading =
  (readingOf: Surest['readingOf'], text: string) =>
  (entity: Entity): Omit<NameReading, 'entity'> => {
    const reading = readingOf(entity)
    return reading === undefined
      ? { form: entity.name, cases: [], rule: '' }
      : { form: reading.spelling, cases: caseNames(reading.cases), rule: ruleOf(reading, text) }
  }

const pickSurest = (
  readings: ReadonlyArray<OwnedReading>,
  isSingle: boolean,
  { text }: NameAsked,
  stageOf: (reading: OwnedReading) => { readonly stage: StageHit['stage']; readonly base: number },
): StageHit | null => {
  if (readings.length === 0) return null
  const { owners, readingOf } = surestOf(readings)
  const [first] = owners
  const best = first === undefined ? undefined : readingOf(first)
  if (best === undefined) return null
  const { stage, base } = stageOf(best)
  return {
    stage,
    confidence: confidenceOf(base, best, isSingle, text, first),
    candidates: owners,
    readingOf: showReading(readingOf, text),
    cases: best.cases,
  }
}

const asComputed = () => ({ stage: 'alias', base: 0.95 }) as const

const asForm = ({ isAltered }: OwnedReading) =>
  isAltered ? ({ stage: 'alternation', base: 0.85 } as const) : ({ stage: 'declension', base: 0.9 } as const)

const isComputedAlias = (reading: OwnedReading): boolean => reading.isComputed && isAsWritten(reading)

/** Each owner once, up to the bound on owners. */
const joinFirst = (lists: ReadonlyArray<ReadonlyArray<Entity>>): ReadonlyArray<Entity> => {
  const found = new Set<Entity>()
  for (const owners of lists)
    for (const owner of owners) {
      if (found.size === ownersMax) return [...found]
      found.add(owner)
    }
  return [...found]
}

/** The forms that `odmiany.tsv` adds. */
const findAddedForm = (names: NameIndex, query: NameAsked): StageHit | null => {
  const added = names.forms?.corrections.added.get(query.key)
  if (added === undefined) return null
  const candidates = joinFirst(
    added.map(({ heading, type }) => {
      const owners = headingOwners(names, heading, query.options)
      return type === null ? owners : owners.filter(entity => entity.type === type)
    }),
  )
  if (candidates.length === 0) return null
  const readingOf = (entity: Entity): Omit<NameReading, 'entity'> => ({
    form: entity.name,
    cases: [],
    rule: 'odmiany.tsv',
  })
  return { stage: 'declension', confidence: 0.9, candidates, readingOf, cases: allCases }
}

/** How many titles may stand before a name: `pan kapitan Orrin`. */
const titlesMax = 3

const firstWord = /^\s*\S+\s+/u

/** What is taken from the confidence when the title is in another case than the name. */
const disagreement = 0.1

/** The shortest texts that may be one, two and three letters off. */
const lengthsMin = [5, 11, 16]

interface Near {
  readonly key: NameKey
  readonly distance: number
  readonly owner: Entity
}

/** The nearer of two spellings of one block; of two equally near the first in order. */
const nearerOf = (one: Near | null, other: Near): Near =>
  one === null || (one.distance - other.distance || (one.key < other.key ? -1 : 1)) > 0 ? other : one

const hitOf = ({ key, distance, owner }: Near, asked: NameKey): StageHit => ({
  stage: 'fuzzy',
  confidence: Math.round(Math.max(0, 1 - distance / asked.length) * 100) / 100,
  candidates: [owner],
  readingOf: () => ({ form: key, cases: [], rule: `distance ${distance}` }),
  cases: allCases,
})

/** The owners of a spelling that the options accept, in as many turns as their filter needs. */
const ownersInTurns = function* (
  names: NameIndex,
  key: NameKey,
  options: ResolveOptions,
): Sliced<ReadonlyArray<Entity>> {
  for (;;) {
    const owners = spellingOwners(names, key, options)
    if (options.turn?.isOver() !== true) return owners
    yield
    options.turn.begin()
  }
}

/** The nearest spelling of the blocks met so far, and whether it is one of several blocks. */
interface Met {
  readonly nearest: Near | null
  readonly isShared: boolean
}

const noneMet: Met = { nearest: null, isShared: false }

const meet = ({ nearest, isShared }: Met, near: Near): Met => ({
  nearest: nearerOf(nearest, near),
  isShared: isShared || (nearest !== null && nearest.owner !== near.owner),
})

/** Of two distances from 1 to this, neither is nearer by more than one letter. */
const closeMax = 2

const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | null = null
  return () => (made ??= { value: make() }).value
}
