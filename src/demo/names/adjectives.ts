import { type Forms, forms, type Gender, type GrammarCase, mapForms, type Paradigm } from './cases.js'

/**
 * The stem, and whether a masculine in -i is soft (ostatni → ostatnia) or only follows k or g (wielki →
 * wielka).
 */
const stemOf = (masculine: string): { readonly stem: string; readonly y: string; readonly glide: string } => {
  const stem = masculine.slice(0, -1)
  if (masculine.endsWith('y')) return { stem, y: 'y', glide: '' }
  return /[kg]$/.test(stem) ? { stem, y: 'i', glide: '' } : { stem: `${stem}i`, y: '', glide: 'i' }
}

/** The forms of an adjective, given in the masculine nominative (-y or -i), that agree with `gender`. */
export const adjective = (masculine: string, gender: Gender): Forms => {
  const { stem, y, glide } = stemOf(masculine)
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
