import { addPluralAdjective } from './adjective.js'
import { isHardened, isVelar, isVowel } from './sounds.js'
import { addSoftZeroGenitive, addZeroGenitive } from './stems.js'
import {
  type AddForm,
  acc,
  dat,
  gen,
  ins,
  likely,
  loc,
  nom,
  pluralOf,
  type Rank,
  rare,
  sure,
  voc,
} from './word-form.js'

/** A plural in -y or -i: Mroczyny – Mroczyn, Dębianki – Dębianek, Doły – Dołów. */
export const addPluralInY = (stem: string, rank: Rank, add: AddForm): void => {
  addEndings(stem, rank, add)
  add(`${stem}ów`, pluralOf(gen), rank)
  if (stem.endsWith('i')) addSoftZeroGenitive(stem, pluralOf(gen), add)
  else addZeroGenitive(stem, pluralOf(gen), rank, add)
}

/** A plural in -e: Wilczyce – Wilczyc, Karkonosze – Karkonoszy, Polanie – Polan. */
export const addPluralInE = (stem: string, rank: Rank, add: AddForm): void => {
  addEndings(stem, rank, add)
  add(`${stem}ów`, pluralOf(gen), /[iy]c$/u.test(stem) ? rare : likely)
  if (stem.endsWith('i')) {
    addSoftZeroGenitive(stem, pluralOf(gen), add)
    add(`${stem}i`, pluralOf(gen), likely)
    if (stem.endsWith('ani')) {
      addEndings(stem.slice(0, -1), likely, add)
      add(stem.slice(0, -1), pluralOf(gen | acc), likely)
      add(`${stem.slice(0, -1)}ów`, pluralOf(gen | acc), rare)
    }
    return
  }
  addZeroGenitive(stem, pluralOf(gen), rank, add)
  if (/[aeo]j$/u.test(stem)) add(`${stem.slice(0, -1)}i`, pluralOf(gen), likely, true)
  if (!isVowel(stem.slice(-1)))
    add(
      `${stem}${isHardened(stem) ? 'y' : 'i'}`,
      pluralOf(gen),
      isHardened(stem) || stem.endsWith('l') ? likely : rare,
    )
}

/** A plural of neuters in -a: Wrota – Wrót. Its other forms are those of feminines. */
export const addPluralInA = (stem: string, add: AddForm, addOther: AddForm): void => {
  add(`${stem}a`, pluralOf(nom | acc | voc), likely)
  addZeroGenitive(stem, pluralOf(gen), likely, add, addOther)
}

/** The plural genitive of names such as Corneliu, taken as a family. */
export const addFamilyInU = (word: string, add: AddForm): void => {
  addEndings(word, rare, add)
  add(`${word}y`, pluralOf(nom | voc), rare)
  add(`${word}ów`, pluralOf(gen | acc), rare)
  add(`${word}owie`, pluralOf(nom | voc), rare)
}

export const addPluralInOwie = (stem: string, add: AddForm): void => addMen(stem, sure, add)

/** A people named in the personal plural: Aromuni – Aromunów, Koriacy – Koriaków, Wygnani – Wygnanych. */
export const addPersonalPlural = (word: string, add: AddForm): void => {
  for (const [end, finals] of personal) {
    if (!word.endsWith(end)) continue
    const stem = word.slice(0, -end.length) + finals
    if (end !== 'eni') addMen(stem, likely, add)
    addPluralAdjective(stem, likely, add)
  }
}

const addEndings = (stem: string, rank: Rank, add: AddForm): void => {
  add(`${stem}om`, pluralOf(dat), rank)
  add(`${stem}ami`, pluralOf(ins), rank)
  add(`${stem}ach`, pluralOf(loc), rank)
}

/** The plural of several men: Wolniakowie – Wolniaków, and the blunt nominative Wolniaki. */
const addMen = (stem: string, rank: Rank, add: AddForm): void => {
  add(`${stem}ów`, pluralOf(gen | acc), rank)
  addEndings(stem, rank, add)
  const isSoft = /[ijl]$/u.test(stem) || isHardened(stem)
  add(`${stem}${isSoft ? 'e' : isVelar(stem) ? 'i' : 'y'}`, pluralOf(nom | voc), likely)
}

/** Endings of the personal plural and the stems behind them: Aromuni, Koriacy. */
const personal: ReadonlyArray<readonly [end: string, stem: string]> = [
  ['dzy', 'g'],
  ['cy', 'k'],
  ['cy', 'c'],
  ['rzy', 'r'],
  ['ści', 'st'],
  ['dzi', 'd'],
  ['ci', 't'],
  ['si', 'ch'],
  ['si', 's'],
  ['zi', 'z'],
  ['śli', 'sł'],
  ['źli', 'zł'],
  ['li', 'ł'],
  ['eni', 'on'],
  ['ni', 'n'],
  ['wi', 'w'],
  ['bi', 'b'],
  ['pi', 'p'],
  ['mi', 'm'],
]
