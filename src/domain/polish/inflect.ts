import {
  addFamily,
  addFamilyInCy,
  addFeminineAdjective,
  addMasculineAdjective,
  addNeuterAdjective,
  addPersonalAdjective,
  addPlaceInE,
  addPluralAdjective,
  isAdjectivalSurname,
  isAdjectiveLike,
} from './adjective.js'
import { addChangedVowel, addForeign, addIrregular } from './irregular.js'
import { addConsonantFeminine, addMasculine, mayBeFeminine } from './masculine.js'
import {
  addInO,
  addNeuterInE,
  addNeuterInNasal,
  addNeuterInUm,
  isNeuterInLo,
  isPlaceInOwo,
} from './neuter.js'
import {
  addFamilyInU,
  addPersonalPlural,
  addPluralInA,
  addPluralInE,
  addPluralInOwie,
  addPluralInY,
} from './plural-only.js'
import {
  feminineStemsBeforeE,
  foldDiacritics,
  isHardened,
  isVelar,
  isVowel,
  personalPlural,
} from './sounds.js'
import { addZeroGenitive } from './stems.js'
import {
  type AddForm,
  acc,
  atMostAs,
  dat,
  type FormList,
  gen,
  ins,
  lessSure,
  likely,
  loc,
  makeFormList,
  nom,
  pluralOf,
  type Rank,
  rare,
  sure,
  voc,
  type WordForm,
} from './word-form.js'

/**
 * Every form that a Polish word, given in the nominative and in lower case, may have, itself among them: all
 * paradigms of its ending, because the gender of a name is rarely known. Empty for a word that is not inflected: one
 * of other characters than letters, or of more than 40.
 */
export const inflectWord = (word: string): ReadonlyArray<WordForm> => {
  if (word.length > wordMax || !inflectable.test(word)) return []
  const forms = makeFormList()
  if (addIrregular(word, forms.add)) {
    const others = makeFormList()
    addByEnding(word, others)
    for (const { form, cases, rank, isAltered, isOtherGender } of others.forms())
      (isOtherGender ? forms.addOther : forms.add)(form, cases, lessSure(rank, likely), isAltered)
  } else addByEnding(word, forms)
  addChangedVowel(word, forms.add)
  forms.add(word, mayBeFeminine(word) ? nom | acc : nom, sure)
  return forms.forms()
}

/** The cases of each form of each title, with and without its diacritics. */
export type Titles = ReadonlyMap<string, number>

/** The forms of the known titles and of more, which are given in the nominative and in lower case. */
export const titleForms = (more: ReadonlyArray<string>): Titles => {
  const titles = own()
  for (const title of more) addTitle(titles, title)
  return titles
}

/** Endings that adjectives have far more often than nouns. */
const oftenAdjectival = /(?:sk|ck|dzk|ow|ew|n|ok|st|siw)[ya]$|(?:sk|ck|dzk|ok)i$/u

/**
 * A word in -a: a noun, an adjective, or both. What an adjective has from a noun is also the name of a man (Cichy);
 * surnames in -ska are no nouns.
 */
const inA = (word: string, { add, addOther }: FormList): void => {
  const stem = word.slice(0, -1)
  const isAdjective = isAdjectiveLike(word)
  const addMan = isAdjectivalSurname(word) ? () => undefined : addOther
  const addNoun: AddForm = (form, cases, rank, isAltered) =>
    (isAdjective && /^[yi]?$/u.test(form.slice(stem.length)) ? addMan : add)(form, cases, rank, isAltered)
  addFeminine(stem, isAdjective ? rare : sure, addNoun, addOther)
  addPluralInA(stem, add, addOther)
  if (isVowel(stem.slice(-1)) && !stem.endsWith('i')) return
  const rank: Rank = isAdjective ? sure : oftenAdjectival.test(word) ? likely : rare
  addFeminineAdjective(stem, rank, add)
  addNeuterAdjective(stem, rank, add)
  addPluralAdjective(stem, rank, add)
}

const inO = (word: string, { add, addOther }: FormList): void => {
  const stem = word.slice(0, -1)
  addInO(stem, add, addOther)
  if (isPlaceInOwo(stem)) return
  // Surnames in -o decline like feminines: Sefro – Sefry. After a vowel -ło is a neuter, without a family.
  const isNeuter = isNeuterInLo(stem)
  const addMan: AddForm = (form, cases, rank, isAltered) => {
    if (!isNeuter || !/(?:owie|ów)$/u.test(form)) add(form, cases, rank, isAltered)
  }
  addFeminine(stem, isNeuter ? rare : likely, addMan, addOther)
}

/** A word in -e: a neuter, a plural, or an adjective of either. Zakopane has no form of a woman. */
const inE = (word: string, { add, addOther }: FormList): void => {
  const stem = word.slice(0, -1)
  if (word.endsWith('owie') && word.length > 6) {
    addPluralInOwie(word.slice(0, -4), add)
    return addNeuterInE(stem, atMostAs(likely, add), () => undefined)
  }
  addNeuterInE(stem, add, addOther)
  addPluralInE(stem, /[ci]e$/u.test(word) ? sure : likely, add)
  const hard = /[kg]i$/u.test(stem) ? stem.slice(0, -1) : stem
  for (const addPart of [addMasculineAdjective, addNeuterAdjective, addPluralAdjective])
    addPart(hard, likely, add)
  addPlaceInE(stem, likely, add)
  addForeign(word, add)
}

/** An adjective of a man or a thing: what a woman and a neuter have from it is their own name. */
const addAdjective = (stem: string, { add, addOther }: FormList): void => {
  addMasculineAdjective(stem, sure, add)
  addPluralAdjective(stem, sure, add)
  addPersonalAdjective(stem, sure, add)
  addFeminineAdjective(stem, sure, addOther)
  addNeuterAdjective(stem, likely, addOther)
}

const inY = (word: string, forms: FormList): void => {
  const { add } = forms
  const stem = word.slice(0, -1)
  if (/[aeou]y$/u.test(word)) return addForeign(word, add)
  add(word, nom | voc | acc, sure)
  addAdjective(stem, forms)
  addFamily(stem, add)
  if (/(?:s|c|dz)cy$/u.test(word)) addFamilyInCy(stem.slice(0, -1), add)
  addPluralInY(stem, oftenAdjectival.test(word) ? likely : sure, add)
  addPersonalPlural(word, add)
  addForeign(word, add)
}

const inI = (word: string, forms: FormList): void => {
  const { add } = forms
  const stem = /[kglj]i$/u.test(word) ? word.slice(0, -1) : word
  add(word, nom | voc | acc, sure)
  addAdjective(stem, forms)
  addFamily(stem, add)
  addPluralInY(stem, oftenAdjectival.test(word) ? likely : sure, add)
  addPersonalPlural(word, add)
  if (/[iy]ni$/u.test(word)) addFeminineInNi(word, add)
  addForeign(word, add)
}

const inConsonant = (word: string, { add }: FormList): void => {
  addMasculine(word, add)
  addConsonantFeminine(word, add)
  if (word.endsWith('um')) addNeuterInUm(word, add)
}

const inNasal = (word: string, { add, addOther }: FormList): void => {
  if (word.endsWith('ę')) addNeuterInNasal(word, add)
  addFeminine(word.slice(0, -1), rare, add, addOther)
}

const addByEnding = (word: string, forms: FormList): void => {
  const last = word.slice(-1)
  if (last === 'a') return inA(word, forms)
  if (last === 'o') return inO(word, forms)
  if (last === 'e') return inE(word, forms)
  if (last === 'y') return inY(word, forms)
  if (last === 'i') return inI(word, forms)
  if (last === 'u') return addFamilyInU(word, forms.add)
  if (last === 'ę' || last === 'ą') return inNasal(word, forms)
  if (!isVowel(last)) inConsonant(word, forms)
}

/** Letters alone, with an apostrophe inside at most: everything else is not inflected. */
const inflectable = /^\p{L}[\p{L}']*\p{L}$/u

/** The longest word that is inflected; longer ones have their nominative alone. */
const wordMax = 40

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
const addFeminine = (stem: string, given: Rank, add: AddForm, addOther: AddForm): void => {
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
const addFeminineInNi = (word: string, add: AddForm): void => {
  add(word, gen | dat | loc | voc, sure)
  add(`${word}ę`, acc, likely)
  add(`${word}ą`, ins, likely)
  add(`${word}e`, pluralOf(nom | acc | voc), likely)
  add(`${word.slice(0, -2)}ń`, pluralOf(gen), likely)
  add(`${word}om`, pluralOf(dat), likely)
  add(`${word}ami`, pluralOf(ins), likely)
  add(`${word}ach`, pluralOf(loc), likely)
}

/** Titles and ways to address a person that may stand before a name (POLISH.md 7), in the nominative. */
const nominatives =
  `król królowa książę księżna księżniczka hrabia hrabina baron baronowa baronessa lord lady sir
  pan pani panna panicz mistrz mistrzyni kapitan porucznik sierżant generał wódz kapłan kapłanka arcykapłan
  arcykapłanka mag arcymag czarodziej czarodziejka rycerz strażnik strażniczka burmistrz wojewoda namiestnik radny
  radna brat siostra ojciec matka stary stara młody młoda kupiec kowal karczmarz karczmarka doktor święty święta
  biskup arcybiskup opat starosta kanclerz hetman wielki wielka markiz markiza cesarz cesarzowa car carowa sędzia
  profesor komendant dowódca pułkownik admirał komandor druid druidka szaman szamanka wiedźma wiedźmin`
    .trim()
    .split(/\s+/u)

const addTitle = (titles: Map<string, number>, title: string): void => {
  for (const { form, cases } of inflectWord(title))
    for (const spelling of new Set([form, foldDiacritics(form)]))
      titles.set(spelling, (titles.get(spelling) ?? 0) | cases)
}

const own = (): Map<string, number> => {
  const titles = new Map<string, number>()
  for (const title of nominatives) addTitle(titles, title)
  return titles
}
