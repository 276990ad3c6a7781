/** The seven cases in the order of school grammar, from mianownik to wołacz. */
export const grammarCases = ['nom', 'gen', 'dat', 'acc', 'ins', 'loc', 'voc'] as const
export type GrammarCase = (typeof grammarCases)[number]

export type Forms = Readonly<Record<GrammarCase, string>>

/** What an adjective and a verb agree with; `person` and `thing` are masculine, `plural` is of things. */
export type Gender = 'person' | 'thing' | 'feminine' | 'neuter' | 'plural'

/** A name in all its cases. */
export interface Paradigm {
  readonly gender: Gender
  readonly forms: Forms
}

export const forms = (
  nom: string,
  gen: string,
  dat: string,
  acc: string,
  ins: string,
  loc: string,
  voc: string,
): Forms => ({ nom, gen, dat, acc, ins, loc, voc })

/** Applies `f` to each form. */
export const mapForms = (of: Forms, f: (form: string, at: GrammarCase) => string): Forms =>
  forms(
    f(of.nom, 'nom'),
    f(of.gen, 'gen'),
    f(of.dat, 'dat'),
    f(of.acc, 'acc'),
    f(of.ins, 'ins'),
    f(of.loc, 'loc'),
    f(of.voc, 'voc'),
  )

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

/**
 * The stem, and whether a masculine in -i is soft (ostatni → ostatnia) or only follows k or g (wielki →
 * wielka).
 */
const adjectiveStem = (
  masculine: string,
): { readonly stem: string; readonly y: string; readonly glide: string } => {
  const stem = masculine.slice(0, -1)
  if (masculine.endsWith('y')) return { stem, y: 'y', glide: '' }
  return /[kg]$/.test(stem) ? { stem, y: 'i', glide: '' } : { stem: `${stem}i`, y: '', glide: 'i' }
}

/** The forms of an adjective, given in the masculine nominative (-y or -i), that agree with `gender`. */
export const adjective = (masculine: string, gender: Gender): Forms => {
  const { stem, y, glide } = adjectiveStem(masculine)
  // After k and g an i precedes e: wielki, wielkiego, wielkie; after soft stems the i is part of the stem.
  const e = glide === '' && y === 'i' ? 'ie' : 'e'
  const [ego, emu, ym] = [`${stem}${e}go`, `${stem}${e}mu`, `${stem}${y}m`]
  const ej = `${stem}${e}j`
  switch (gender) {
    case 'person':
      return forms(masculine, ego, emu, ego, ym, ym, masculine)
    case 'thing':
      return forms(masculine, ego, emu, masculine, ym, ym, masculine)
    case 'feminine':
      return forms(`${stem}a`, ej, ej, `${stem}ą`, `${stem}ą`, ej, `${stem}a`)
    case 'neuter':
      return forms(`${stem}${e}`, ego, emu, `${stem}${e}`, ym, ym, `${stem}${e}`)
    case 'plural':
      return forms(
        `${stem}${e}`,
        `${stem}${y}ch`,
        ym,
        `${stem}${e}`,
        `${ym}i`,
        `${stem}${y}ch`,
        `${stem}${e}`,
      )
  }
}

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The noun with an agreeing adjective before it, each word with a capital: Czarna Wieża. */
export const placeBefore = (masculine: string, noun: Paradigm): Paradigm => ({
  gender: noun.gender,
  forms: join(mapForms(adjective(masculine, noun.gender), upper), noun.forms),
})

/** The noun with an agreeing adjective after it: Targ Solny. */
export const placeAfter = (noun: Paradigm, masculine: string): Paradigm => ({
  gender: noun.gender,
  forms: join(noun.forms, mapForms(adjective(masculine, noun.gender), upper)),
})

/** The noun with a part that never changes: Wieża Trzech Mostów, Karczma Pod Kulawym Wilkiem. */
export const appendTail = (noun: Paradigm, tail: string): Paradigm => ({
  gender: noun.gender,
  forms: mapForms(noun.forms, form => `${form} ${tail}`),
})

/** Two parts that decline together, such as a given name and a surname. */
export const joinParadigms = (first: Paradigm, second: Paradigm): Paradigm => ({
  gender: first.gender,
  forms: join(first.forms, second.forms),
})

const join = (left: Forms, right: Forms): Forms =>
  mapForms(left, (form, at: GrammarCase) => `${form} ${right[at]}`)

/** Feminine stems of verbs with an irregular vowel in the masculine: wszedł – weszła. */
const motion: Readonly<Record<string, string>> = {
  wszedł: 'weszł',
  zszedł: 'zeszł',
  podszedł: 'podeszł',
  odszedł: 'odeszł',
  obszedł: 'obeszł',
  nadszedł: 'nadeszł',
  rozszedł: 'rozeszł',
}

const verbStem = (masculine: string): string => {
  const known = motion[masculine]
  if (known !== undefined) return known
  if (masculine.endsWith('szedł')) return `${masculine.slice(0, -5)}szł`
  if (masculine.endsWith('ął')) return `${masculine.slice(0, -2)}ęł`
  return masculine.replace(/ó([szgd]ł)$/, 'o$1')
}

/** The past tense, third person, of a verb given in the masculine singular, agreeing with `gender`. */
export const past = (masculine: string, gender: Gender): string => {
  switch (gender) {
    case 'person':
    case 'thing':
      return masculine
    case 'feminine':
      return `${verbStem(masculine)}a`
    case 'neuter':
      return `${verbStem(masculine)}o`
    case 'plural':
      return `${verbStem(masculine)}y`
  }
}

/** Whether `w` takes an e before `word`: we Wrzosowie, we Florze. */
const takesWe = (word: string): boolean => /^[wf][^aeiouyóąę]/i.test(word)

/** Whether `z` takes an e before `word`: ze Starym, ze Zbroi, ze Wschodu. */
const takesZe = (word: string): boolean =>
  /^(?:[szśźż][^aeiouyóąęi]|w[sz]|mn)/i.test(word) && !/^(?:sz|rz|cz)[aeiouyóąę]/i.test(word)

export const withW = (word: string): string => `${takesWe(word) ? 'we' : 'w'} ${word}`

export const withZ = (word: string): string => `${takesZe(word) ? 'ze' : 'z'} ${word}`
