import { acc, dat, gen, ins, loc, nom, plural, voc } from './cases.js'
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

const personalOf = (stem: string): string | null => personalPlural(stem)?.text ?? null

/**
 * Every form of an adjective in both numbers and all genders: surnames and names of places that are adjectives
 * belong to a man, a woman and a family alike. `ranks` are those of the masculine and neuter, the feminine, and the
 * plural.
 */
export const addAdjective = (
  text: string,
  [his, hers, theirs]: readonly [Rank, Rank, Rank],
  add: AddForm,
): void => {
  const { stem, y, e } = stemOf(text)
  add(`${stem}${y}`, nom | voc | acc, his)
  add(`${stem}${e}go`, gen | acc, his)
  add(`${stem}${e}mu`, dat, his)
  add(`${stem}${y}m`, ins | loc, his)
  add(`${stem}${y}m`, plural(dat), theirs)
  add(`${stem}a`, nom | voc, hers)
  add(`${stem}${e}j`, gen | dat | loc, hers)
  add(`${stem}ą`, acc | ins, hers)
  add(`${stem}${e}`, nom | acc | voc, his)
  add(`${stem}${e}`, plural(nom | acc | voc), theirs)
  add(`${stem}${y}ch`, plural(gen | loc | acc), theirs)
  add(`${stem}${y}mi`, plural(ins), theirs)
  const personal = personalOf(stem)
  if (personal !== null) add(personal, plural(nom | voc), theirs, /[kgrłtd]$|ch$|sz$|ż$/u.test(stem))
}

/** The instrumental and locative of places in -e: Zawiane – Zawianem. */
export const addPlaceInE = (stem: string, rank: Rank, add: AddForm): void => add(`${stem}em`, ins | loc, rank)

/** Surnames whose family is called by -owie although the sing. is adjectival: Batory – Batorowie. */
export const addFamily = (stem: string, add: AddForm): void => add(`${stem}owie`, plural(nom | voc), likely)

/** Families called by a plural: Kowalscy – Kowalskich. The nominative itself is not generated. */
export const addFamilyInCy = (stem: string, add: AddForm): void => {
  add(`${stem}kich`, plural(gen | loc | acc), sure, true)
  add(`${stem}kim`, plural(dat), sure, true)
  add(`${stem}kimi`, plural(ins), sure, true)
}
