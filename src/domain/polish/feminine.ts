import { acc, dat, gen, ins, loc, nom, plural, voc } from './cases.js'
import { feminineStemsBeforeE, isHardened, isVelar, isVowel, personalPlural } from './sounds.js'
import { type AddForm, lessSure, likely, type Rank, rare, sure } from './word-form.js'
import { addZeroGenitive } from './zero-genitive.js'

/** Genitive, dative and locative of stems whose dative has no -e. */
const addSoftOblique = (form: string, rank: Rank, add: AddForm, isAltered = false): void =>
  add(form, gen | dat | loc | plural(gen), rank, isAltered)

/** -i or -y after the stem. */
const genitiveOf = (stem: string): string => `${stem}${isVelar(stem) || /[lieou]$/u.test(stem) ? 'i' : 'y'}`

/** The plural that all words in -a share; `e`: the nominative of soft stems. */
const addPluralOfA = (stem: string, nominative: string, add: AddForm, rank: Rank): void => {
  add(nominative, plural(nom | acc | voc), rank)
  add(`${stem}om`, plural(dat), rank)
  add(`${stem}ami`, plural(ins), rank)
  add(`${stem}ach`, plural(loc), rank)
  // Families and men: Zarębowie, Zarębów.
  add(`${stem}owie`, plural(nom | voc), likely)
  add(`${stem}ów`, plural(gen | acc), likely)
}

const addWithIa = (stem: string, add: AddForm): void => {
  const before = stem.slice(0, -1)
  addSoftOblique(`${stem}i`, sure, add)
  // Native words have one i: Kasia – Kasi.
  addSoftOblique(stem, /[nszcdwmpb]$/u.test(before) ? sure : likely, add)
  add(`${stem}u`, voc, likely)
  addPluralOfA(stem, `${stem}e`, add, likely)
  const at = 'nszc'.indexOf(before.slice(-1))
  if (at >= 0 && before !== '') add(`${before.slice(0, -1)}${'ńśźć'.charAt(at)}`, plural(gen), likely)
}

const addWithJa = (stem: string, add: AddForm): void => {
  const before = stem.slice(0, -1)
  const isAfterVowel = isVowel(before.slice(-1))
  if (isAfterVowel) addSoftOblique(`${before}i`, sure, add, true)
  addSoftOblique(`${stem}i`, isAfterVowel ? rare : sure, add)
  add(`${stem}u`, voc, likely)
  add(stem, plural(gen), rare)
  addPluralOfA(stem, `${stem}e`, add, likely)
}

const addSoft = (stem: string, add: AddForm): void => {
  addSoftOblique(genitiveOf(stem), sure, add)
  add(genitiveOf(stem), plural(nom), likely)
  if (stem.endsWith('l')) add(`${stem}u`, voc, likely)
  // A foreign c is read as k: Petrarca – Petrarki.
  if (stem.endsWith('c')) add(`${stem.slice(0, -1)}ki`, gen | plural(nom), rare, true)
  addPluralOfA(stem, `${stem}e`, add, stem.endsWith('l') ? sure : likely)
  addZeroGenitive(stem, plural(gen), /[iy]c$/u.test(stem) ? sure : likely, add)
}

const addHard = (stem: string, add: AddForm): void => {
  const genitive = genitiveOf(stem)
  add(genitive, gen, sure)
  for (const before of feminineStemsBeforeE(stem)) add(`${before.text}e`, dat | loc, sure, before.isAltered)
  if (stem.endsWith('x')) {
    add(`${stem.slice(0, -1)}ksie`, dat | loc, likely, true)
    add(`${stem}ie`, dat | loc, likely)
  }
  addPluralOfA(stem, genitive, add, sure)
  addZeroGenitive(stem, plural(gen), likely, add)
  const personal = personalPlural(stem)
  if (personal !== null) add(personal.text, plural(nom | voc), rare, personal.isAltered)
}

/**
 * A word in -a: feminine, or a man's name or surname, which declines like one. Accepts also the surnames in -o and
 * -ę that decline so; `rank` is how likely that is.
 */
export const addFeminine = (stem: string, given: Rank, add: AddForm): void => {
  const ranked: AddForm = (form, cases, rank, isAltered) => add(form, cases, lessSure(rank, given), isAltered)
  ranked(`${stem}ę`, acc, sure)
  ranked(`${stem}ą`, ins, sure)
  ranked(`${stem}o`, voc, sure)
  if (stem.endsWith('i')) addWithIa(stem, ranked)
  else if (stem.endsWith('j')) addWithJa(stem, ranked)
  else if (stem.endsWith('l') || isHardened(stem) || isVowel(stem.slice(-1))) addSoft(stem, ranked)
  else addHard(stem, ranked)
}

/** A feminine in -ini or -yni: gospodyni – gospodynię. */
export const addFeminineInNi = (word: string, add: AddForm): void => {
  add(`${word}ę`, acc, likely)
  add(`${word}ą`, ins, likely)
  add(`${word}e`, plural(nom | acc | voc), likely)
  add(`${word.slice(0, -2)}ń`, plural(gen), likely)
  add(`${word}om`, plural(dat), likely)
  add(`${word}ami`, plural(ins), likely)
  add(`${word}ach`, plural(loc), likely)
}
