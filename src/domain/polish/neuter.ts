import { isHardened, isVelar, isVowel, stemsBeforeLocativeE } from './sounds.js'
import { addSoftZeroGenitive, addZeroGenitive } from './stems.js'
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

/** Stems of neuters in -ło: Brodziło has no family of Brodziłowie. Behind i and y it is a surname: Curyło. */
export const isNeuterInLo = (stem: string): boolean => /(?:[aeouąęó]|dzi)ł$/u.test(stem)

/** Stems of places in -owo and -ewo, which no man is called: Wilkowo. */
export const isPlaceInOwo = (stem: string): boolean => /.{2}[eo]w$/u.test(stem)

/** A word in -o: a neuter, or a man's name. */
export const addInO = (stem: string, add: AddForm, addOther: AddForm): void => {
  add(`${stem}a`, gen, sure)
  add(`${stem}u`, dat, sure)
  add(`${stem}u`, voc, likely)
  add(`${stem}${isVelar(stem) ? 'iem' : 'em'}`, ins, sure)
  // A foreign c is read as k: Marco – Markiem.
  if (stem.endsWith('c')) add(`${stem.slice(0, -1)}kiem`, ins, rare, true)
  addLocative(stem, sure, add)
  addPlural(stem, likely, add)
  if (stem.endsWith('i')) add(`${stem}e`, pluralOf(nom | voc), likely)
  else if (isSoftStem(stem)) add(`${stem}e`, pluralOf(nom | voc), likely)
  else add(`${stem}${isVelar(stem) ? 'i' : 'y'}`, pluralOf(nom | voc), likely)
  addZeroGenitive(stem, pluralOf(gen), likely, add, addOther)
  addMan(stem, add)
}

/** A neuter in -e or -ie: Złotopole – Złotopola. */
export const addNeuterInE = (stem: string, add: AddForm, addOther: AddForm): void => {
  add(`${stem}a`, gen, sure)
  add(`${stem}u`, dat | loc, sure)
  add(`${stem}em`, ins, sure)
  addPlural(stem, likely, add)
  if (stem.endsWith('i'))
    addSoftZeroGenitive(stem, pluralOf(gen), (form, cases, rank) =>
      addOther(form, cases, lessSure(rank, likely), true),
    )
  else {
    addZeroGenitive(stem, pluralOf(gen), likely, add, addOther)
    add(`${stem}${stem.endsWith('l') ? 'i' : 'y'}`, pluralOf(gen), rare)
  }
}

/** A neuter in -ę: imię – imienia, imiona; zwierzę – zwierzęcia, zwierzęta. */
export const addNeuterInNasal = (word: string, add: AddForm): void => {
  const stem = word.slice(0, -1)
  const isIn = word.endsWith('mię')
  const [singular, many, none] = isIn
    ? [`${stem}eni`, `${stem.slice(0, -1)}ion`, `${stem.slice(0, -1)}ion`]
    : [`${stem}ęci`, `${stem}ęt`, `${stem}ąt`]
  const rank = isIn ? sure : likely
  add(`${singular}a`, gen, rank, true)
  add(`${singular}u`, dat | loc, rank, true)
  add(`${singular}em`, ins, rank, true)
  add(none, pluralOf(gen), rank, true)
  add(`${many}a`, pluralOf(nom | acc | voc), rank, true)
  add(`${many}om`, pluralOf(dat), rank, true)
  add(`${many}ami`, pluralOf(ins), rank, true)
  add(`${many}ach`, pluralOf(loc), rank, true)
}

/** A learned neuter in -um, which declines in the plural alone: muzeum – muzea, muzeów. */
export const addNeuterInUm = (word: string, add: AddForm): void => {
  const stem = word.slice(0, -2)
  addPlural(stem, likely, add)
  add(`${stem}ów`, pluralOf(gen), likely)
}

const isSoftStem = (stem: string): boolean => /[ijl]$/u.test(stem) || isHardened(stem)

const addPlural = (stem: string, rank: Rank, add: AddForm): void => {
  add(`${stem}a`, pluralOf(nom | acc | voc), rank)
  add(`${stem}om`, pluralOf(dat), rank)
  add(`${stem}ami`, pluralOf(ins), rank)
  add(`${stem}ach`, pluralOf(loc), rank)
}

const addLocative = (stem: string, rank: Rank, add: AddForm): void => {
  const isInU = isSoftStem(stem) || isVelar(stem) || isVowel(stem.slice(-1))
  const before = isInU ? [] : stemsBeforeLocativeE(stem)
  if (before.length === 0) add(`${stem}u`, loc, rank)
  for (const { text, isAltered } of before) add(`${text}e`, loc, rank, isAltered)
  if (stem.endsWith('stw')) add(`${stem}u`, loc, rank)
}

/** The forms of men in -o beside those of neuters: Vareno – Varenowi. */
const addMan = (stem: string, add: AddForm): void => {
  if (isPlaceInOwo(stem)) return
  add(`${stem}a`, gen | acc, sure)
  add(`${stem}owi`, dat, likely)
  if (isNeuterInLo(stem)) return
  add(`${stem}owie`, pluralOf(nom | voc), likely)
  add(`${stem}ów`, pluralOf(gen | acc), likely)
  // Names of Germanic and Latin origin: Hugo – Hugona, Scypio – Scypiona.
  if (!/(?:[bdefglmnprtvwz]|pi)$/u.test(stem) || /[iy]n$/u.test(stem)) return
  const long = `${stem}on`
  add(`${long}a`, gen | acc, rare)
  add(`${long}owi`, dat, rare)
  add(`${long}em`, ins, rare)
  add(`${long}ie`, loc | voc, rare)
  add(`${long}ów`, pluralOf(gen | acc), rare)
  add(`${long}om`, pluralOf(dat), rare)
}
