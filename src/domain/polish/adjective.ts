import { acc, dat, gen, ins, loc, nom, pluralOf, voc } from './cases.js'
import { personalPlural } from './sounds.js'
import { type AddForm, likely, type Rank, sure } from './word-form.js'

/** The stem of an adjective and the vowels that follow it. */
interface AdjectiveStem {
  readonly stem: string
  /** -y, or -i after k and g; empty after a soft stem, which ends in i. */
  readonly y: string
  /** -e, or -ie after k and g. */
  readonly e: string
}

const stemOf = (stem: string): AdjectiveStem => {
  if (/[kg]$/u.test(stem)) return { stem, y: 'i', e: 'ie' }
  return stem.endsWith('i') || stem.endsWith('l') || stem.endsWith('j')
    ? { stem, y: stem.endsWith('i') ? '' : 'i', e: 'e' }
    : { stem, y: 'y', e: 'e' }
}

/** The forms of a man beside his nominative. Surnames and names of places are adjectives too. */
export const addMasculineAdjective = (text: string, rank: Rank, add: AddForm): void => {
  const { stem, y, e } = stemOf(text)
  add(`${stem}${e}go`, gen | acc, rank)
  add(`${stem}${e}mu`, dat, rank)
  add(`${stem}${y}m`, ins | loc, rank)
}

export const addFeminineAdjective = (text: string, rank: Rank, add: AddForm): void => {
  const { stem, e } = stemOf(text)
  add(`${stem}a`, nom | voc, rank)
  add(`${stem}${e}j`, gen | dat | loc, rank)
  add(`${stem}ą`, acc | ins, rank)
}

/** The nominative of neuters, and of several that are no men. */
export const addNeuterAdjective = (text: string, rank: Rank, add: AddForm): void => {
  const { stem, e } = stemOf(text)
  add(`${stem}${e}`, nom | acc | voc | pluralOf(nom | acc | voc), rank)
}

/** The other forms of several. */
export const addPluralAdjective = (text: string, rank: Rank, add: AddForm): void => {
  const { stem, y } = stemOf(text)
  add(`${stem}${y}m`, pluralOf(dat), rank)
  add(`${stem}${y}ch`, pluralOf(gen | loc | acc), rank)
  add(`${stem}${y}mi`, pluralOf(ins), rank)
}

/** The nominative of several men: Kowalscy. */
export const addPersonalAdjective = (text: string, rank: Rank, add: AddForm): void => {
  const { stem } = stemOf(text)
  const personal = personalPlural(stem)
  if (personal !== null) add(personal.text, pluralOf(nom | voc), rank, /[kgrłtd]$|ch$|sz$|ż$/u.test(stem))
  if (stem.endsWith('on')) add(`${stem.slice(0, -2)}eni`, pluralOf(nom | voc), likely, true)
}

/** The instrumental and locative of places in -e: Zawiane – Zawianem. */
export const addPlaceInE = (stem: string, rank: Rank, add: AddForm): void => add(`${stem}em`, ins | loc, rank)

/** Surnames whose family is called by -owie although the sing. is adjectival: Batory – Batorowie. */
export const addFamily = (stem: string, add: AddForm): void => add(`${stem}owie`, pluralOf(nom | voc), likely)

/** Families called by a plural: Kowalscy – Kowalskich. The nominative itself is not generated. */
export const addFamilyInCy = (stem: string, add: AddForm): void => {
  add(`${stem}kich`, pluralOf(gen | loc | acc), sure, true)
  add(`${stem}kim`, pluralOf(dat), sure, true)
  add(`${stem}kimi`, pluralOf(ins), sure, true)
}
