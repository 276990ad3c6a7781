import { isHardened, isVelar, personalPlural, stemsBeforeLocativeE } from './sounds.js'
import { consonantStems, type RankedStem } from './stems.js'
import {
  type AddForm,
  acc,
  dat,
  gen,
  ins,
  lessSure,
  likely,
  loc,
  nom,
  pluralOf,
  type Rank,
  rare,
  sure,
  voc,
} from './word-form.js'

/** A masculine that ends in a consonant: every stem with every ending. */
export const addMasculine = (word: string, add: AddForm): void => {
  for (const stem of consonantStems(word)) {
    addSingular(stem, add)
    addPlural(stem, add)
  }
  if (/(?:an|en)in$/u.test(word)) addInhabitants(word, add)
  else if (/[^i]yn$|[^n]in$/u.test(word)) add(word.slice(0, -2), pluralOf(gen | acc), rare)
  if (/[aeiou]c$/u.test(word)) addForeignC(word, add)
}

/** Whether a word that ends in a consonant may be feminine, with an accusative like the nominative. */
export const mayBeFeminine = (word: string): boolean =>
  !men.test(word) && consonantFeminine.some(([end]) => end.test(word))

/** A feminine that ends in a consonant: Gorlań – Gorlani, noc – nocy, Łódź – Łodzi. */
export const addConsonantFeminine = (word: string, add: AddForm): void => {
  const rule = consonantFeminine.find(([end]) => end.test(word))
  if (rule === undefined || men.test(word)) return
  if (/[kgr]i?ew$/u.test(word)) addFeminineInEw(word, /[kg]iew$/u.test(word) ? sure : likely, add)
  for (const { text: stem, rank: stemRank, isAltered } of consonantStems(word)) {
    const rank = lessSure(rule[1], stemRank)
    const soft = /[pbfwm]$/u.test(stem) ? `${stem}i` : stem
    const base = /[^l]j$/u.test(soft) ? soft.slice(0, -1) : soft
    const i = soft.endsWith('i') ? soft : `${base}${isHardened(soft) ? 'y' : 'i'}`
    add(i, gen | dat | loc | voc | pluralOf(nom | gen | acc | voc), rank, isAltered)
    add(`${soft}ą`, ins, rank, isAltered)
    add(`${soft}e`, pluralOf(nom | acc | voc), rank, isAltered)
    add(`${soft}om`, pluralOf(dat), rank, isAltered)
    add(`${soft}ami`, pluralOf(ins), rank, isAltered)
    add(`${soft}ach`, pluralOf(loc), rank, isAltered)
  }
}

/** The stem as soft stems are written: with an i, or in l or j. */
const isSoft = (text: string): boolean => /[ilj]$/u.test(text)

/** -em, and -iem after k and g. */
const instrumental = (text: string): string => `${text}${isVelar(text) ? 'iem' : 'em'}`

const addSingular = ({ text, rank, isAltered }: RankedStem, add: AddForm): void => {
  add(`${text}a`, gen | acc, rank, isAltered)
  // A thing may have either genitive; a few persons and animals have the dative in -u. Towns in -ów have neither.
  add(`${text}u`, gen | dat | loc | voc, isAltered && /..ow$/u.test(text) ? likely : rank, isAltered)
  add(`${text}owi`, dat, rank, isAltered)
  add(instrumental(text), ins, rank, isAltered)
  for (const before of isSoft(text) || isVelar(text) ? [] : stemsBeforeLocativeE(text))
    add(`${before.text}e`, loc | voc, rank, isAltered || before.isAltered)
  if (text.endsWith('x')) add(`${text}ie`, loc | voc, rank, isAltered)
  if (/[^aeiouyąęó]c$/u.test(text)) add(`${text.slice(0, -1)}cze`, voc, rank, true)
}

/** The nominative of things and animals, and the forms of persons beside it. */
const addPluralNominative = ({ text, rank, isAltered }: RankedStem, add: AddForm): void => {
  const cases = pluralOf(nom | acc | voc)
  if (isSoft(text) || isHardened(text)) add(`${text}e`, cases, rank, isAltered)
  else add(`${text}${isVelar(text) ? 'i' : 'y'}`, cases, rank, isAltered)
  // A foreign ch is read as cz: Malkovich – Malkoviche.
  if (text.endsWith('h')) add(`${text}e`, pluralOf(nom | acc | voc), rare, isAltered)
  add(`${text}owie`, pluralOf(nom | voc), rank, isAltered)
  const personal = isSoft(text) || /..[oó]w$/u.test(text) ? null : personalPlural(text)
  if (personal !== null)
    add(personal.text, pluralOf(nom | voc), lessSure(rank, likely), isAltered || personal.isAltered)
}

const addPlural = (stem: RankedStem, add: AddForm): void => {
  const { text, rank, isAltered } = stem
  addPluralNominative(stem, add)
  add(`${text}ów`, pluralOf(gen | acc), rank, isAltered)
  if (text.endsWith('i')) add(text, pluralOf(gen | acc), likely, isAltered)
  else if (text.endsWith('l')) add(`${text}i`, pluralOf(gen | acc), likely, isAltered)
  else if (text.endsWith('j')) add(`${text.slice(0, -1)}i`, pluralOf(gen | acc), rare, true)
  else if (isHardened(text)) add(`${text}y`, pluralOf(gen | acc), likely, isAltered)
  add(`${text}om`, pluralOf(dat), rank, isAltered)
  add(`${text}ami`, pluralOf(ins), rank, isAltered)
  add(`${text}ach`, pluralOf(loc), rank, isAltered)
}

/** Rosjanin – Rosjanie, Rosjan: names of inhabitants lose -in in the plural. */
const addInhabitants = (word: string, add: AddForm): void => {
  const text = word.slice(0, -2)
  add(`${text}ie`, pluralOf(nom | voc), sure)
  add(text, pluralOf(gen | acc), sure)
  add(`${text}ów`, pluralOf(gen | acc), likely)
  add(`${text}y`, pluralOf(nom | voc), likely)
  add(`${text}om`, pluralOf(dat), sure)
  add(`${text}ami`, pluralOf(ins), sure)
  add(`${text}ach`, pluralOf(loc), sure)
}

/** A foreign final c that is read as k: Eric – Erikiem. */
const addForeignC = (word: string, add: AddForm): void => {
  add(`${word.slice(0, -1)}kiem`, ins, rare, true)
}

/** Men by their profession, surnames, and towns in -ów: no feminines, although others end as they do. */
const men = /(?:[ae]rz|[ai]cz|.al|usz|..ów)$/u

const consonantFeminine: ReadonlyArray<readonly [end: RegExp, rank: Rank]> = [
  [/(?:ść|edź|ódź|ądź)$/u, sure],
  [/[ńśćź]$/u, likely],
  [/(?:c|cz|sz|rz|ż|dż|l|j)$/u, likely],
  [/[pbfwm]$/u, rare],
]

/** `chorągiew`, `krew`: the e falls and the w is soft. */
const addFeminineInEw = (word: string, rank: Rank, add: AddForm): void => {
  const text = `${word.replace(/i?ew$/u, '')}w`
  add(`${text}i`, gen | dat | loc | voc | pluralOf(gen), rank, true)
  add(`${text}ią`, ins, rank, true)
  add(`${text}ie`, pluralOf(nom | acc | voc), rank, true)
  add(`${text}iom`, pluralOf(dat), rank, true)
  add(`${text}iami`, pluralOf(ins), rank, true)
  add(`${text}iach`, pluralOf(loc), rank, true)
}
