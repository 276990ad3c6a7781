import type { Entity } from '#src/domain/entities/entity.js'
import { allCases, caseNames } from '#src/domain/polish/cases.js'
import type { Found } from './found.js'
import { formKey } from './name-words.js'
import { headingOwners, spellingOwners } from './owners.js'
import type { Query } from './query.js'
import { type OwnedReading, surestOf, wordReadings } from './readings.js'
import type { NameIndex, NameReading } from './resolution.js'

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
  [isComputed ? 'computed' : '', isFolded ? 'diacritics' : '', rewriteOf(spelling, formKey(text))]
    .filter(part => part !== '')
    .join(' ')

const showReading =
  (readings: ReadonlyMap<Entity, OwnedReading>, text: string) =>
  (entity: Entity): Omit<NameReading, 'entity'> => {
    const reading = readings.get(entity)
    return reading === undefined
      ? { form: entity.name, cases: [], rule: '' }
      : { form: reading.spelling, cases: caseNames(reading.cases), rule: ruleOf(reading, text) }
  }

const foundIn = (
  readings: ReadonlyArray<OwnedReading>,
  isSingle: boolean,
  { text }: Query,
  stageOf: (reading: OwnedReading) => { readonly stage: Found['stage']; readonly base: number },
): Found | null => {
  if (readings.length === 0) return null
  const { readings: byOwner, owners } = surestOf(readings)
  const [first] = owners
  const best = first === undefined ? undefined : byOwner.get(first)
  if (best === undefined) return null
  const { stage, base } = stageOf(best)
  return {
    stage,
    confidence: confidenceOf(base, best, isSingle, text, first),
    candidates: owners,
    readingOf: showReading(byOwner, text),
    cases: best.cases,
  }
}

const asComputed = () => ({ stage: 'alias', base: 0.95 }) as const

const asForm = ({ isAltered }: OwnedReading) =>
  isAltered ? ({ stage: 'alternation', base: 0.85 } as const) : ({ stage: 'declension', base: 0.9 } as const)

const isAsWritten = ({ isBase, isFolded }: OwnedReading): boolean => isBase && !isFolded

/**
 * Computed aliases: the name without its title, a quoted nickname, half of a double surname, then a word that one block
 * alone owns, where no other block has a form like it.
 */
export const computedStage = (names: NameIndex, query: Query): Found | null => {
  if (names.forms === null) return null
  const readings = query.readings()
  const computed = readings.filter(reading => reading.isComputed && isAsWritten(reading))
  if (computed.length > 0) return foundIn(computed, false, query, asComputed)
  if (readings.length > 0) return null
  const words = wordReadings(names, names.forms, query.tokens(), query.options).filter(isAsWritten)
  return foundIn(words, true, query, asComputed)
}

/** The forms that `odmiany.tsv` adds. */
const addedForms = (names: NameIndex, query: Query): Found | null => {
  const added = names.forms?.corrections.added.get(formKey(query.text)) ?? []
  const candidates = [
    ...new Set(
      added.flatMap(({ heading, type }) =>
        headingOwners(names, heading, query.options).filter(entity => (type ?? entity.type) === entity.type),
      ),
    ),
  ]
  if (candidates.length === 0) return null
  const readingOf = (entity: Entity): Omit<NameReading, 'entity'> => ({
    form: entity.name,
    cases: [],
    rule: 'odmiany.tsv',
  })
  return { stage: 'declension', confidence: 0.9, candidates, readingOf, cases: allCases }
}

/** Declension and alternation: the stage is that of the form. */
export const formStage = (names: NameIndex, query: Query): Found | null => {
  if (names.forms === null) return null
  const added = addedForms(names, query)
  if (added !== null) return added
  const readings = query.readings()
  if (readings.length > 0) return foundIn(readings, false, query, asForm)
  return foundIn(wordReadings(names, names.forms, query.tokens(), query.options), true, query, asForm)
}

/** The names that `lematy.tsv` gives for the text. */
export const lemmaStage = (names: NameIndex, query: Query): Found | null => {
  const lemmas = names.language.lemmas.get(query.key) ?? []
  const candidates = [
    ...new Set(lemmas.flatMap(lemma => spellingOwners(names, query.keyOf(lemma), query.options))),
  ]
  if (candidates.length === 0) return null
  const readingOf = (entity: Entity): Omit<NameReading, 'entity'> => ({
    form: entity.name,
    cases: [],
    rule: 'lematy.tsv',
  })
  return { stage: 'lemma', confidence: 0.9, candidates, readingOf, cases: allCases }
}
