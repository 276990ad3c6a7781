import { acc, dat, gen, ins, loc, nom, plural, voc } from './cases.js'
import { isHardened, isVelar, isVowel } from './sounds.js'
import { type AddForm, likely, type Rank, rare, sure } from './word-form.js'
import { addSoftZeroGenitive, addZeroGenitive } from './zero-genitive.js'

const addEndings = (stem: string, rank: Rank, add: AddForm): void => {
  add(`${stem}om`, plural(dat), rank)
  add(`${stem}ami`, plural(ins), rank)
  add(`${stem}ach`, plural(loc), rank)
}

/** A plural in -y or -i: Mroczyny – Mroczyn, Dębianki – Dębianek, Doły – Dołów. */
export const addPluralInY = (stem: string, rank: Rank, add: AddForm): void => {
  addEndings(stem, rank, add)
  add(`${stem}ów`, plural(gen), rank)
  if (stem.endsWith('i')) addSoftZeroGenitive(stem, plural(gen), add)
  else addZeroGenitive(stem, plural(gen), rank, add)
}

/** A plural in -e: Wilczyce – Wilczyc, Karkonosze – Karkonoszy, Polanie – Polan. */
export const addPluralInE = (stem: string, rank: Rank, add: AddForm): void => {
  addEndings(stem, rank, add)
  add(`${stem}ów`, plural(gen), likely)
  if (stem.endsWith('i')) {
    addSoftZeroGenitive(stem, plural(gen), add)
    if (stem.endsWith('ani')) {
      addEndings(stem.slice(0, -1), likely, add)
      add(stem.slice(0, -1), plural(gen | acc), likely)
    }
    return
  }
  addZeroGenitive(stem, plural(gen), rank, add)
  if (/[aeo]j$/u.test(stem)) add(`${stem.slice(0, -1)}i`, plural(gen), likely, true)
  if (!isVowel(stem.slice(-1)))
    add(
      `${stem}${isHardened(stem) ? 'y' : 'i'}`,
      plural(gen),
      isHardened(stem) || stem.endsWith('l') ? likely : rare,
    )
}

/** A plural of neuters in -a: Wrota – Wrót. Its other forms are those of feminines. */
export const addPluralInA = (stem: string, add: AddForm): void => {
  add(`${stem}a`, plural(nom | acc | voc), likely)
  addZeroGenitive(stem, plural(gen), likely, add)
}

/** The plural genitive of names such as Corneliu, taken as a family. */
export const addFamilyInU = (word: string, add: AddForm): void => {
  addEndings(word, rare, add)
  add(`${word}y`, plural(nom | voc), rare)
  add(`${word}ów`, plural(gen | acc), rare)
  add(`${word}owie`, plural(nom | voc), rare)
}

/** The plural of several men: Wolniakowie – Wolniaków, and the blunt nominative Wolniaki. */
const addMen = (stem: string, rank: Rank, add: AddForm): void => {
  add(`${stem}ów`, plural(gen | acc), rank)
  addEndings(stem, rank, add)
  const isSoft = /[ijl]$/u.test(stem) || isHardened(stem)
  add(`${stem}${isSoft ? 'e' : isVelar(stem) ? 'i' : 'y'}`, plural(nom | voc), likely)
}

export const addPluralInOwie = (stem: string, add: AddForm): void => addMen(stem, sure, add)

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
  ['li', 'ł'],
  ['ni', 'n'],
  ['wi', 'w'],
  ['bi', 'b'],
  ['pi', 'p'],
  ['mi', 'm'],
]

/** A people named in the personal plural: Aromuni – Aromunów, Koriacy – Koriaków. */
export const addPersonalPlural = (word: string, add: AddForm): void => {
  for (const [end, stem] of personal)
    if (word.endsWith(end)) addMen(word.slice(0, -end.length) + stem, likely, add)
}
