import { acc, dat, gen, ins, loc, nom, plural, voc } from './cases.js'
import { isHardened, isVelar, isVowel, stemsBeforeLocativeE } from './sounds.js'
import { type AddForm, lessSure, likely, type Rank, rare, sure } from './word-form.js'
import { addSoftZeroGenitive, addZeroGenitive } from './zero-genitive.js'

const isSoftStem = (stem: string): boolean => /[ijl]$/u.test(stem) || isHardened(stem)

const addPlural = (stem: string, rank: Rank, add: AddForm): void => {
  add(`${stem}a`, plural(nom | acc | voc), rank)
  add(`${stem}om`, plural(dat), rank)
  add(`${stem}ami`, plural(ins), rank)
  add(`${stem}ach`, plural(loc), rank)
}

const addLocative = (stem: string, rank: Rank, add: AddForm): void => {
  const isInU = isSoftStem(stem) || isVelar(stem) || isVowel(stem.slice(-1))
  const before = isInU ? [] : stemsBeforeLocativeE(stem)
  if (before.length === 0) add(`${stem}u`, loc, rank)
  for (const { text, isAltered } of before) add(`${text}e`, loc, rank, isAltered)
  if (stem.endsWith('stw')) add(`${stem}u`, loc, rank)
}

/** Stems of -ło after a vowel, which is a neuter as a rule: Brodziło has no family of Brodziłowie. */
export const isNeuterInLo = (stem: string): boolean => /[aeiouyąęó]ł$/u.test(stem)

/** The forms of men in -o beside those of neuters: Vareno – Varenowi. */
const addMan = (stem: string, add: AddForm): void => {
  add(`${stem}a`, gen | acc, sure)
  add(`${stem}owi`, dat, likely)
  if (isNeuterInLo(stem)) return
  add(`${stem}owie`, plural(nom | voc), likely)
  add(`${stem}ów`, plural(gen | acc), likely)
}

/** A word in -o: a neuter, or a man's name. */
export const addInO = (stem: string, add: AddForm): void => {
  add(`${stem}a`, gen, sure)
  add(`${stem}u`, dat, sure)
  add(`${stem}u`, voc, likely)
  add(`${stem}${isVelar(stem) ? 'iem' : 'em'}`, ins, sure)
  // A foreign c is read as k: Marco – Markiem.
  if (stem.endsWith('c')) add(`${stem.slice(0, -1)}kiem`, ins, rare, true)
  addLocative(stem, sure, add)
  addPlural(stem, likely, add)
  if (stem.endsWith('i')) add(`${stem}e`, plural(nom | voc), likely)
  else if (isSoftStem(stem)) add(`${stem}e`, plural(nom | voc), likely)
  else add(`${stem}${isVelar(stem) ? 'i' : 'y'}`, plural(nom | voc), likely)
  addZeroGenitive(stem, plural(gen), likely, add)
  addMan(stem, add)
}

/** A neuter in -e or -ie: Złotopole – Złotopola. */
export const addNeuterInE = (stem: string, add: AddForm): void => {
  add(`${stem}a`, gen, sure)
  add(`${stem}u`, dat | loc, sure)
  add(`${stem}em`, ins, sure)
  addPlural(stem, likely, add)
  if (stem.endsWith('i'))
    addSoftZeroGenitive(stem, plural(gen), (form, cases, rank) =>
      add(form, cases, lessSure(rank, likely), true),
    )
  else {
    addZeroGenitive(stem, plural(gen), likely, add)
    add(`${stem}${stem.endsWith('l') ? 'i' : 'y'}`, plural(gen), rare)
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
  add(none, plural(gen), rank, true)
  add(`${many}a`, plural(nom | acc | voc), rank, true)
  add(`${many}om`, plural(dat), rank, true)
  add(`${many}ami`, plural(ins), rank, true)
  add(`${many}ach`, plural(loc), rank, true)
}

/** A learned neuter in -um, which declines in the plural alone: muzeum – muzea, muzeów. */
export const addNeuterInUm = (word: string, add: AddForm): void => {
  const stem = word.slice(0, -2)
  addPlural(stem, likely, add)
  add(`${stem}ów`, plural(gen), likely)
}
