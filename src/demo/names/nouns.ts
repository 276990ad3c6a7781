import { type Forms, forms, type Gender, type Paradigm } from './cases.js'

/** Hard endings of stems and their form before -e; the first that matches decides. */
const softenings: ReadonlyArray<readonly [string, string]> = [
  ['st', 'ści'],
  ['zd', 'ździ'],
  ['sł', 'śl'],
  ['zł', 'źl'],
  ['sn', 'śni'],
  ['zn', 'źni'],
  ['ch', 'sz'],
  ['rr', 'rz'],
  ['r', 'rz'],
  ['ł', 'l'],
  ['t', 'ci'],
  ['d', 'dzi'],
  ['k', 'c'],
  ['g', 'dz'],
  ['p', 'pi'],
  ['b', 'bi'],
  ['f', 'fi'],
  ['w', 'wi'],
  ['m', 'mi'],
  ['n', 'ni'],
  ['s', 'si'],
  ['z', 'zi'],
]

/** The stem before -e of the locative (masculine, neuter) or dative and locative (feminine). */
const softenStem = (stem: string): string => {
  const rule = softenings.find(([hard]) => stem.endsWith(hard))
  return rule === undefined ? stem : stem.slice(0, -rule[0].length) + rule[1]
}

const soft: Readonly<Record<string, string>> = { ń: 'ni', ś: 'si', ć: 'ci', ź: 'zi' }

const hardened = /(?:c|cz|sz|rz|ż|dz|dż|l|j)$/

/** The stem before endings: without the movable e, and with soft endings written with i. */
const masculineStem = (nom: string): string => {
  if (nom.endsWith('ciec')) return `${nom.slice(0, -4)}jc`
  if (nom.endsWith('niec')) return `${nom.slice(0, -4)}ńc`
  if (nom.endsWith('rzec')) return `${nom.slice(0, -4)}rc`
  if (/[^aeiouyąęó]iec$/.test(nom)) return `${nom.slice(0, -3)}c`
  if (/[^aeiouyąęó]ec$/.test(nom)) return `${nom.slice(0, -2)}c`
  if (/[^aeiouyąęóń]ek$/.test(nom)) return `${nom.slice(0, -2)}k`
  const last = soft[nom.slice(-1)]
  if (last !== undefined) return nom.slice(0, -1) + last
  if (/(?:gród|bród|dwór|pór|bór|ów|wóz|róg|wój)$/i.test(nom)) return `${nom.slice(0, -2)}o${nom.slice(-1)}`
  return nom
}

/** A masculine noun that ends in a consonant. `genU`: a thing with the genitive in -u. */
export const masculine = (nom: string, kind: 'person' | 'thing', genU = false): Paradigm => {
  const stem = masculineStem(nom)
  const velar = /(?:k|g)$/.test(stem)
  const softStem = hardened.test(stem) || stem.endsWith('i')
  const gen = `${stem}${genU ? 'u' : 'a'}`
  const ins = `${stem}${velar ? 'iem' : 'em'}`
  const loc = velar || softStem || stem.endsWith('ch') ? `${stem}u` : `${softenStem(stem)}e`
  const voc = kind === 'person' && /(?:[^s]|^)ec$/.test(nom) ? `${stem.slice(0, -1)}cze` : loc
  return {
    gender: kind,
    forms: forms(nom, gen, `${stem}owi`, kind === 'person' ? gen : nom, ins, loc, voc),
  }
}

/**
 * A masculine person in -a, such as poborca or wróżbita: declined like a feminine, with masculine agreement.
 */
export const masculineInA = (nom: string): Paradigm => ({ ...feminine(nom), gender: 'person' })

/**
 * How the final -ia of a feminine is written: `-ii` in learned words and most invented names, `-i` in native
 * ones.
 */
export const feminine = (nom: string, native = false): Paradigm => {
  const stem = nom.slice(0, -1)
  const rest = (gen: string, dat: string, voc: string): Paradigm => ({
    gender: 'feminine',
    forms: forms(nom, gen, dat, `${stem}ę`, `${stem}ą`, dat, voc),
  })
  if (nom.endsWith('ia')) {
    const gen = native ? stem : `${stem}i`
    return rest(gen, gen, `${stem}o`)
  }
  if (/[aeiouyó]ja$/.test(nom)) return rest(`${stem.slice(0, -1)}i`, `${stem.slice(0, -1)}i`, `${stem}o`)
  if (stem.endsWith('l') || stem.endsWith('j')) return rest(`${stem}i`, `${stem}i`, `${stem}o`)
  if (hardened.test(stem)) return rest(`${stem}y`, `${stem}y`, `${stem}o`)
  return rest(`${stem}${/[kg]$/.test(stem) ? 'i' : 'y'}`, `${softenStem(stem)}e`, `${stem}o`)
}

/** A feminine noun that ends in a consonant, such as przystań or noc. */
export const feminineConsonant = (nom: string): Paradigm => {
  const last = soft[nom.slice(-1)]
  const gen = last === undefined ? `${nom}y` : nom.slice(0, -1) + last
  const ins = last === undefined ? `${nom}ą` : `${nom.slice(0, -1)}${last}ą`
  return { gender: 'feminine', forms: forms(nom, gen, gen, nom, ins, gen, gen) }
}

/** A neuter noun in -o, -e or -ie. */
export const neuter = (nom: string): Paradigm => {
  const stem = nom.slice(0, -1)
  const loc =
    nom.endsWith('o') && !/(?:k|g|ch)$/.test(stem) && !hardened.test(stem)
      ? `${softenStem(stem)}e`
      : `${stem}u`
  return {
    gender: 'neuter',
    forms: forms(nom, `${stem}a`, `${stem}u`, nom, `${stem}${/[kg]$/.test(stem) ? 'i' : ''}em`, loc, nom),
  }
}

/** A plural-only name; the genitive must be given, because the nominative does not determine it. */
export const plural = (nom: string, gen: string): Paradigm => {
  const stem = nom.slice(0, -1)
  return {
    gender: 'plural',
    forms: forms(nom, gen, `${stem}om`, nom, `${stem}ami`, `${stem}ach`, nom),
  }
}

/** A paradigm written out by hand. */
export const irregular = (gender: Gender, of: Forms): Paradigm => ({ gender, forms: of })
