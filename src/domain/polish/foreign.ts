import { acc, dat, gen, ins, loc, nom, plural, voc } from './cases.js'
import { stemsBeforeLocativeE } from './sounds.js'
import { type AddForm, likely, rare } from './word-form.js'

/** Endings after an apostrophe, where the last written vowel is mute: Steve – Steve’a. */
const addMuteE = (word: string, add: AddForm): void => {
  add(`${word}'a`, gen | acc, likely)
  add(`${word}'owi`, dat, likely)
  add(`${word}'em`, ins, likely)
  add(`${word}'u`, loc | voc, likely)
  add(`${word}'ów`, plural(gen | acc), rare)
  add(`${word}'owie`, plural(nom | voc), rare)
  const stem = word.slice(0, -1)
  const [before] = stemsBeforeLocativeE(stem)
  add(before === undefined ? `${stem}u` : `${before.text}e`, loc | voc, likely, before?.isAltered === true)
  for (const [ending, cases] of [
    ['om', dat],
    ['ami', ins],
    ['ach', loc],
  ] as const)
    add(`${word}'${ending}`, plural(cases), rare)
}

/** Names in -y, -e or -ie that decline as adjectives: Harry’ego, Charliego, Harrym. */
const addAdjectivalForeign = (word: string, add: AddForm): void => {
  for (const [ending, cases] of [
    ['ego', gen | acc],
    ['emu', dat],
  ] as const) {
    add(`${word}'${ending}`, cases, likely)
    if (/[ie]$/u.test(word)) add(`${word}${ending.slice(1)}`, cases, likely)
  }
  add(`${word}m`, ins | loc, likely)
}

/** A final y after a vowel is read as j: Murray – Murraya. */
const addConsonantY = (word: string, add: AddForm): void => {
  for (const apostrophe of ['', "'"]) {
    const stem = `${word}${apostrophe}`
    add(`${stem}a`, gen | acc, likely)
    add(`${stem}owi`, dat, likely)
    add(`${stem}em`, ins, likely)
    add(`${stem}u`, loc | voc, likely)
    add(`${stem}owie`, plural(nom | voc), likely)
    add(`${stem}e`, plural(nom | voc), rare)
    add(`${stem}ów`, plural(gen | acc), likely)
    add(`${stem}om`, plural(dat), likely)
    add(`${stem}ami`, plural(ins), likely)
    add(`${stem}ach`, plural(loc), likely)
  }
}

/** What foreign spellings in -e, -y and -ie add to the Polish paradigms of those endings. */
export const addForeign = (word: string, add: AddForm): void => {
  if (word.endsWith('e') && word.length > 3) addMuteE(word, add)
  if (/[eyi]$/u.test(word)) addAdjectivalForeign(word, add)
  if (/[aeou]y$/u.test(word)) addConsonantY(word, add)
}
