import { nameKey } from '#protocol/atoms.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { allCases, caseNames } from '#src/domain/polish/cases.js'
import type { NameIndex, NameReading } from '../resolution.js'
import type { StageHit } from './found.js'
import { headingOwners, ownersMax, spellingOwners } from './owners.js'
import type { NameAsked } from './query.js'
import { isAsWritten, type OwnedReading, type Surest, surestOf } from './readings.js'

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
