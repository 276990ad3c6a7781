import {
  addFamily,
  addFamilyInCy,
  addFeminineAdjective,
  addMasculineAdjective,
  addNeuterAdjective,
  addPersonalAdjective,
  addPlaceInE,
  addPluralAdjective,
} from './adjective.js'
import { isAdjectivalSurname, isAdjectiveLike } from './adjective-like.js'
import { acc, nom, voc } from './cases.js'
import { addFeminine, addFeminineInNi } from './feminine.js'
import { addForeign } from './foreign.js'
import { addChangedVowel, addIrregular } from './irregular.js'
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
import { isVowel } from './sounds.js'
import {
  type AddForm,
  atMostAs,
  type FormList,
  lessSure,
  likely,
  makeFormList,
  type Rank,
  rare,
  sure,
  type WordForm,
} from './word-form.js'

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
