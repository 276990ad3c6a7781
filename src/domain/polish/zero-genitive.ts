import { isVowel } from './sounds.js'
import { type AddForm, lessSure, likely, type Rank, rare, sure } from './word-form.js'

/** A consonant before an inserted e as it is then written: ń is ni, k is ki. */
const beforeInsertedE = (letter: string): string => {
  const soft = 'ńśćź'.indexOf(letter)
  if (soft >= 0) return `${'nscz'.charAt(soft)}i`
  return letter === 'k' || letter === 'g' ? `${letter}i` : letter
}

/** Clusters whose second consonant takes the e before it as a rule: kapłanek, okien, wojen, gier, mgieł. */
const takesE = /[^aąeęioóuy](?:k|n|r|ł|w|m|l|c)$/u

const insertE = (stem: string): string | null => {
  if (!takesE.test(stem) || stem.length < 2) return null
  if (stem.endsWith('ówn')) return `${stem.slice(0, -1)}ien`
  const [first, second] = [stem.slice(-2, -1), stem.slice(-1)]
  const e = beforeInsertedE(first)
  // A final c is soft before it was dropped: owca – owiec.
  return `${stem.slice(0, -2)}${e}${second === 'c' && !e.endsWith('i') ? 'i' : ''}e${second}`
}

/** Vowels that change in a closed syllable: góra – gór needs none, droga – dróg, ręka – rąk. */
const closeVowel = (stem: string): string | null => {
  // Names in -owo and -owa keep their o; the short common nouns do not: krowa – krów.
  const isOpen = stem.endsWith('ow') ? /^[^aąeęioóuy]*ow$/u : /o(?:[bdgjlłprtz]|rg|rz|dz|ż)$/u
  if (isOpen.test(stem)) return stem.replace(/o([^o]*)$/u, 'ó$1')
  if (/(?:ręk|ksi[eę]g|(?:cz|l|rz|św?i|ż)ęt)$/u.test(stem)) return stem.replace(/ę([^ę]*)$/u, 'ą$1')
  return null
}

/**
 * The genitive plural without ending: of feminines, neuters and plural-only names. Adds the bare stem, the stem
 * with an inserted e, and the one with a closed vowel, as the final consonants allow. `addBare` gets the first two,
 * which may be the name of a man (Adrian of Adriana, Marek of Marka).
 */
export const addZeroGenitive = (
  stem: string,
  cases: number,
  rank: Rank,
  add: AddForm,
  addBare = add,
): void => {
  const last = stem.slice(-1)
  if (stem === '' || isVowel(last)) return
  const withE = insertE(stem)
  const isUsual = withE !== null && (last === 'k' || /[^rl]n$/u.test(stem))
  addBare(stem, cases, isUsual ? rare : rank)
  if (withE !== null) addBare(withE, cases, isUsual ? rank : lessSure(rank, likely), true)
  const other = closeVowel(stem)
  if (other !== null) add(other, cases, lessSure(rank, likely), true)
}

/** The genitive plural of soft stems in -i: pól, but ziem and świątyń. */
export const addSoftZeroGenitive = (stem: string, cases: number, add: AddForm): void => {
  const at = 'nszc'.indexOf(stem.slice(-2, -1))
  if (at >= 0) add(`${stem.slice(0, -2)}${'ńśźć'.charAt(at)}`, cases, likely)
  else add(stem.slice(0, -1), cases, rare)
  add(stem, cases, sure)
}
