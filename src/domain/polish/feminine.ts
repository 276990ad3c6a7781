import { acc, dat, gen, ins, loc, nom, pluralOf, voc } from './cases.js'
import { feminineStemsBeforeE, isHardened, isVelar, isVowel, personalPlural } from './sounds.js'
import { type AddForm, atMostAs, likely, type Rank, rare, sure } from './word-form.js'
import { addZeroGenitive } from './zero-genitive.js'

/** Genitive, dative and locative of stems whose dative has no -e. */
const addSoftOblique = (form: string, rank: Rank, add: AddForm, isAltered = false): void =>
  add(form, gen | dat | loc | pluralOf(gen), rank, isAltered)

/** -i or -y after the stem. */
const genitiveOf = (stem: string): string => `${stem}${isVelar(stem) || /[lieouy]$/u.test(stem) ? 'i' : 'y'}`

/** The plural that all words in -a share. */
const addPluralOfA = (stem: string, nominative: string, add: AddForm, rank: Rank): void => {
  add(nominative, pluralOf(nom | acc | voc), rank)
  add(`${stem}om`, pluralOf(dat), rank)
  add(`${stem}ami`, pluralOf(ins), rank)
  add(`${stem}ach`, pluralOf(loc), rank)
  // Families and men: Zarębowie, Zarębów.
  add(`${stem}owie`, pluralOf(nom | voc), likely)
  add(`${stem}ów`, pluralOf(gen | acc), likely)
}

const addWithIa = (stem: string, add: AddForm, addOther: AddForm): void => {
  const before = stem.slice(0, -1)
  addSoftOblique(`${stem}i`, sure, add)
  // Native words have one i: Kasia – Kasi.
  addSoftOblique(stem, /[nszcdwmpb]$/u.test(before) ? sure : likely, add)
  add(`${stem}u`, voc, likely)
  addPluralOfA(stem, `${stem}e`, add, likely)
  const at = 'nszc'.indexOf(before.slice(-1))
  if (at >= 0 && before !== '') addOther(`${before.slice(0, -1)}${'ńśźć'.charAt(at)}`, pluralOf(gen), likely)
}

const addWithJa = (stem: string, add: AddForm, addOther: AddForm): void => {
  const before = stem.slice(0, -1)
  const isAfterVowel = isVowel(before.slice(-1))
  if (isAfterVowel) addSoftOblique(`${before}i`, sure, add, true)
  addSoftOblique(`${stem}i`, isAfterVowel ? rare : sure, add)
  add(`${stem}u`, voc, likely)
  addOther(stem, pluralOf(gen), rare)
  addPluralOfA(stem, `${stem}e`, add, likely)
}

const addSoft = (stem: string, add: AddForm, addOther: AddForm): void => {
  addSoftOblique(genitiveOf(stem), sure, add)
  add(genitiveOf(stem), pluralOf(nom), likely)
  if (stem.endsWith('l')) add(`${stem}u`, voc, likely)
  // A foreign c is read as k: Petrarca – Petrarki.
  if (stem.endsWith('c')) add(`${stem.slice(0, -1)}ki`, gen | pluralOf(nom), rare, true)
  addPluralOfA(stem, `${stem}e`, add, stem.endsWith('l') ? sure : likely)
  addZeroGenitive(stem, pluralOf(gen), /[iy]c$/u.test(stem) ? sure : likely, add, addOther)
}

const addHard = (stem: string, add: AddForm, addOther: AddForm): void => {
  const genitive = genitiveOf(stem)
  add(genitive, gen, sure)
  for (const before of feminineStemsBeforeE(stem)) add(`${before.text}e`, dat | loc, sure, before.isAltered)
  if (stem.endsWith('x')) {
    add(`${stem.slice(0, -1)}ksie`, dat | loc, likely, true)
    add(`${stem}ie`, dat | loc, likely)
  }
  addPluralOfA(stem, genitive, add, sure)
  addZeroGenitive(stem, pluralOf(gen), likely, add, addOther)
  const personal = personalPlural(stem)
  if (personal !== null) add(personal.text, pluralOf(nom | voc), rare, personal.isAltered)
}

/**
 * A word in -a: feminine, or a man's name or surname, which declines like one. Accepts also the surnames in -o and
 * -ę that decline so; `given` is how likely that is. The genitive of several without ending goes to `addOther`: Adrian
 * is no form of Adriana.
 */
export const addFeminine = (stem: string, given: Rank, add: AddForm, addOther: AddForm): void => {
  const [ranked, rankedOther] = [atMostAs(given, add), atMostAs(given, addOther)]
  ranked(`${stem}ę`, acc, sure)
  ranked(`${stem}ą`, ins, sure)
  ranked(`${stem}o`, voc, sure)
  if (stem.endsWith('i')) addWithIa(stem, ranked, rankedOther)
  else if (stem.endsWith('j')) addWithJa(stem, ranked, rankedOther)
  else if (stem.endsWith('l') || isHardened(stem) || isVowel(stem.slice(-1)))
    addSoft(stem, ranked, rankedOther)
  else addHard(stem, ranked, rankedOther)
}

/** A feminine in -ini or -yni: gospodyni – gospodynię. */
export const addFeminineInNi = (word: string, add: AddForm): void => {
  add(word, gen | dat | loc | voc, sure)
  add(`${word}ę`, acc, likely)
  add(`${word}ą`, ins, likely)
  add(`${word}e`, pluralOf(nom | acc | voc), likely)
  add(`${word.slice(0, -2)}ń`, pluralOf(gen), likely)
  add(`${word}om`, pluralOf(dat), likely)
  add(`${word}ami`, pluralOf(ins), likely)
  add(`${word}ach`, pluralOf(loc), likely)
}
