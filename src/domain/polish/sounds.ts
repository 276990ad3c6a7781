/** A stem before an ending, and whether a sound of it changed. */
interface Stem {
  readonly text: string
  readonly isAltered: boolean
}

type Exchange = readonly [from: string, to: string, isAltered: boolean]

/** Hard stems and how they are written before -e; the first that fits decides. A bare i is spelling only. */
const beforeE: ReadonlyArray<Exchange> = [
  ['st', 'ści', true],
  ['zd', 'ździ', true],
  ['sł', 'śl', true],
  ['czł', 'czl', true],
  ['szł', 'szl', true],
  ['zł', 'źl', true],
  ['sn', 'śni', true],
  ['czn', 'czni', false],
  ['szn', 'szni', false],
  ['rzn', 'rzni', false],
  ['zn', 'źni', true],
  ['sm', 'śmi', true],
  ['łł', 'll', true],
  ['rr', 'rz', true],
  ['r', 'rz', true],
  ['ł', 'l', true],
  ['th', 'ci', true],
  ['t', 'ci', true],
  ['d', 'dzi', true],
  ['p', 'pi', false],
  ['b', 'bi', false],
  ['f', 'fi', false],
  ['w', 'wi', false],
  ['v', 'vi', false],
  ['m', 'mi', false],
  ['n', 'ni', false],
  ['s', 'si', false],
  ['z', 'zi', false],
]

/** What feminines add: only they exchange a velar before -e. */
const velarsBeforeE: ReadonlyArray<Exchange> = [
  ['ch', 'sz', true],
  ['k', 'c', true],
  ['g', 'dz', true],
  ['h', 'ż', true],
]

/** Hard stems with the whole ending of the personal plural: kapłani, Polacy, doktorzy. */
const personalEndings: ReadonlyArray<Exchange> = [
  ['st', 'ści', true],
  ['zd', 'ździ', true],
  ['sł', 'śli', true],
  ['czn', 'czni', false],
  ['sn', 'śni', true],
  ['zn', 'źni', true],
  ['ch', 'si', true],
  ['sz', 'si', true],
  ['rz', 'rzy', false],
  ['cz', 'czy', false],
  ['ż', 'zi', true],
  ['k', 'cy', true],
  ['g', 'dzy', true],
  ['r', 'rzy', true],
  ['ł', 'li', true],
  ['t', 'ci', true],
  ['d', 'dzi', true],
  ['c', 'cy', false],
  ['b', 'bi', false],
  ['p', 'pi', false],
  ['f', 'fi', false],
  ['w', 'wi', false],
  ['m', 'mi', false],
  ['n', 'ni', false],
  ['s', 'si', false],
  ['z', 'zi', false],
]

const exchange = (stem: string, table: ReadonlyArray<Exchange>): Stem | null => {
  const rule = table.find(([from]) => stem.endsWith(from))
  if (rule === undefined) return null
  const [from, to, isAltered] = rule
  return { text: stem.slice(0, stem.length - from.length) + to, isAltered }
}

const hardened = /(?:c|cz|sz|rz|ż|dz|dż|tz)$/u
const velar = /[kgq]$/u

/** Whether the stem ends in c, cz, sz, rz, ż, dz, dż or tz: y follows, and no i before e. */
export const isHardened = (stem: string): boolean => hardened.test(stem)

/** Whether the stem ends in k or g: i follows instead of y, and ie instead of e. */
export const isVelar = (stem: string): boolean => velar.test(stem)

/** Other spellings before -e: names keep s before m (Kosma – Kosmie), and v is w (Alva – Alwie). */
const otherBeforeE: ReadonlyArray<Exchange> = [
  ['sm', 'smi', false],
  ['v', 'wi', true],
]

const stemsBeforeE = (stem: string): ReadonlyArray<Stem> =>
  [exchange(stem, beforeE), exchange(stem, otherBeforeE)].filter(found => found !== null)

/** The stems of the locative in -e (masculine, neuter), the usual first; empty: the locative ends in -u. */
export const stemsBeforeLocativeE = (stem: string): ReadonlyArray<Stem> =>
  isHardened(stem) || stem.endsWith('ch') ? [] : stemsBeforeE(stem)

/** The stems of the dative and locative in -e of feminines; more than one where usage varies (h). */
export const feminineStemsBeforeE = (stem: string): ReadonlyArray<Stem> => {
  if (isHardened(stem)) return []
  if (/[^ct]h$/u.test(stem)) {
    const before = stem.slice(0, -1)
    return [
      { text: `${before}ż`, isAltered: true },
      { text: `${before}sz`, isAltered: true },
    ]
  }
  const found = stem.endsWith('th') ? null : exchange(stem, velarsBeforeE)
  return found === null ? stemsBeforeE(stem) : [found]
}

/** The personal plural: strażnik – strażnicy, kapłan – kapłani; null where the stem has none. */
export const personalPlural = (stem: string): Stem | null => exchange(stem, personalEndings)

/** Soft consonants as they are written before a vowel; null for any other final. */
export const softBeforeVowel = (word: string): string | null => {
  const at = 'ńśćź'.indexOf(word.slice(-1))
  return at < 0 || word === '' ? null : `${word.slice(0, -1)}${'nscz'.charAt(at)}i`
}

const vowels = new Set('aąeęioóuyáéíúäöü')

export const isVowel = (letter: string): boolean => vowels.has(letter)

export const hasVowel = (text: string): boolean => Array.from(text).some(isVowel)

const pairs = 'ąaćcęełlńnóośsźzżz'

/** The character code without its Polish diacritic, by code; codes beyond the table stay as they are. */
const folded = Uint16Array.from({ length: 0x180 }, (_, code) => {
  const at = pairs.indexOf(String.fromCharCode(code))
  return at >= 0 && at % 2 === 0 ? pairs.charCodeAt(at + 1) : code
})

/** A lower-case character code without its Polish diacritic. */
export const foldLetter = (code: number): number => folded[code] ?? code

/** The text in lower case without Polish diacritics: `żółw` is `zolw`. */
export const foldDiacritics = (text: string): string =>
  text.replace(/[ąćęłńóśźż]/gu, letter => String.fromCharCode(foldLetter(letter.charCodeAt(0))))

/** A hash of the text without Polish diacritics (FNV-1a over its codes). */
export const hashFolded = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash ^= foldLetter(text.charCodeAt(at))
    hash = Math.imul(hash, 0x01000193)
  }
  return hash >>> 0
}
