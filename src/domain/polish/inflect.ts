import { addAdjective, addFamily, addFamilyInCy, addPlaceInE } from './adjective.js'
import { acc, nom } from './cases.js'
import { addFeminine, addFeminineInNi } from './feminine.js'
import { addForeign } from './foreign.js'
import { addChangedVowel, addIrregular } from './irregular.js'
import { addConsonantFeminine, addMasculine, mayBeFeminine } from './masculine.js'
import { addInO, addNeuterInE, addNeuterInNasal, addNeuterInUm, isNeuterInLo } from './neuter.js'
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
const surelyAdjectival = /(?:sk|ck|dzk|ow|ew|n|ok|st|siw)[ya]$|(?:sk|ck|dzk|ok)i$/u

const inA = (word: string, { add, addAdjectival }: FormList): void => {
  const stem = word.slice(0, -1)
  // królowa, Wolniakowa: the noun in -owa is rarer than the adjective.
  addFeminine(stem, word.endsWith('owa') ? likely : sure, add)
  addPluralInA(stem, add)
  const rank: Rank = /(?:sk|ck|dzk|ow)a$/u.test(word) ? sure : surelyAdjectival.test(word) ? likely : rare
  if (!isVowel(stem.slice(-1)) || stem.endsWith('i'))
    addAdjective(stem, [rare, rank, rank], withoutMasculine(stem, addAdjectival))
}

/** A feminine heading does not lend its name to a man: Kowalska is not Kowalskiego. */
const withoutMasculine =
  (stem: string, add: AddForm): AddForm =>
  (form, cases, rank, isAltered) => {
    const ending = form.slice(stem.length)
    if (/^(?:a|i?ej|ą|i?e|[yi]?ch|[yi]?mi?)$/u.test(ending)) add(form, cases, rank, isAltered)
  }

const inO = (word: string, { add }: FormList): void => {
  const stem = word.slice(0, -1)
  addInO(stem, add)
  // Surnames in -o decline like feminines: Sefro – Sefry. After a vowel -ło is a neuter, without a family.
  const isNeuter = isNeuterInLo(stem)
  addFeminine(stem, isNeuter ? rare : likely, (form, cases, rank, isAltered) => {
    if (!isNeuter || !/(?:owie|ów)$/u.test(form)) add(form, cases, rank, isAltered)
  })
}

const inE = (word: string, { add, addAdjectival }: FormList): void => {
  const stem = word.slice(0, -1)
  if (word.endsWith('owie') && word.length > 6) {
    addPluralInOwie(word.slice(0, -4), add)
    return addNeuterInE(stem, (form, cases, rank, isAltered) =>
      add(form, cases, lessSure(rank, likely), isAltered),
    )
  }
  addNeuterInE(stem, add)
  addPluralInE(stem, /[ci]e$/u.test(word) ? sure : likely, add)
  const hard = /[kg]i$/u.test(stem) ? stem.slice(0, -1) : stem
  addAdjective(hard, [likely, rare, likely], withoutFeminine(hard, addAdjectival))
  addPlaceInE(stem, likely, addAdjectival)
  addForeign(word, add)
}

/** Places in -e are neuter or plural: Zakopane is not Zakopana. */
const withoutFeminine =
  (stem: string, add: AddForm): AddForm =>
  (form, cases, rank, isAltered) => {
    const ending = form.slice(stem.length)
    if (/^(?:i?ego|i?emu|[yi]?m|[yi]?ch|[yi]?mi|i?e)$/u.test(ending)) add(form, cases, rank, isAltered)
  }

const inY = (word: string, { add, addAdjectival }: FormList): void => {
  const stem = word.slice(0, -1)
  if (/[aeou]y$/u.test(word)) return addForeign(word, add)
  addAdjective(stem, [sure, sure, sure], addAdjectival)
  addFamily(stem, add)
  if (/(?:s|c|dz)cy$/u.test(word)) addFamilyInCy(stem.slice(0, -1), add)
  addPluralInY(stem, surelyAdjectival.test(word) ? likely : sure, add)
  addPersonalPlural(word, add)
  addForeign(word, add)
}

const inI = (word: string, { add, addAdjectival }: FormList): void => {
  const stem = word.slice(0, -1)
  const hard = /[kglj]$/u.test(stem)
  addAdjective(hard ? stem : word, [sure, sure, sure], addAdjectival)
  addFamily(hard ? stem : word, add)
  addPluralInY(hard ? stem : word, surelyAdjectival.test(word) ? likely : sure, add)
  addPersonalPlural(word, add)
  if (/[iy]ni$/u.test(word)) addFeminineInNi(word, add)
  addForeign(word, add)
}

const inConsonant = (word: string, { add }: FormList): void => {
  addMasculine(word, add)
  addConsonantFeminine(word, add)
  if (word.endsWith('um')) addNeuterInUm(word, add)
}

const inNasal = (word: string, { add }: FormList): void => {
  if (word.endsWith('ę')) addNeuterInNasal(word, add)
  addFeminine(word.slice(0, -1), rare, add)
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
    for (const { form, cases, rank, isAltered } of others.forms())
      forms.add(form, cases, lessSure(rank, likely), isAltered)
  } else addByEnding(word, forms)
  addChangedVowel(word, forms.add)
  forms.add(word, mayBeFeminine(word) ? nom | acc : nom, sure)
  return forms.forms()
}
