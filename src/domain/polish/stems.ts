import { hasVowel, isVowel, softBeforeVowel } from './sounds.js'
import { type AddForm, lessSure, likely, type Rank, rare, sure } from './word-form.js'

/** A stem that endings are added to. */
export interface RankedStem {
  readonly text: string
  readonly rank: Rank
  readonly isAltered: boolean
}

/** Every stem of a word that ends in a consonant, each once. */
export const consonantStems = (word: string): ReadonlyArray<RankedStem> => {
  const falling = fallingO.find(([end]) => word.endsWith(end))
  if (falling !== undefined)
    return [stem(word.slice(0, -4) + falling[1], sure, true), stem(word, likely, false)]
  if (word.endsWith('x')) return [stem(`${word.slice(0, -1)}ks`, sure, true), stem(word, likely, false)]
  const found = [dropMovableE, openO, openNasal].map(of => of(word)).find(all => all.length > 0)
  return softenLabials(found ?? [stem(softBeforeVowel(word) ?? word, sure, false)])
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

const stem = (text: string, rank: Rank, isAltered: boolean): RankedStem => ({ text, rank, isAltered })

/** What is left of a stem before a dropped e, when the consonant before it was soft: Jasiek – Jaśk-. */
const hardenings: ReadonlyArray<readonly [from: string, to: string]> = [
  ['dzi', 'dź'],
  ['rz', 'r'],
  ['ni', 'ń'],
  ['si', 'ś'],
  ['zi', 'ź'],
  ['ci', 'ć'],
  ['i', ''],
]

/** The stem before a movable e: `kup` of kupiec, `jaś` of Jasiek, `sta` + `r` of starzec. */
const beforeMovableE = (head: string, keepsRz: boolean): string => {
  const rule = hardenings.find(([from]) => head.endsWith(from) && !(keepsRz && from === 'rz'))
  return rule === undefined ? head : head.slice(0, head.length - rule[0].length) + rule[1]
}

/** How sure the movable e falls, by the ending; the first that fits decides (counts of names in POLISH.md 2.2). */
const movable: ReadonlyArray<readonly [end: string, drops: Rank, keeps: Rank]> = [
  ['ek', sure, rare],
  ['ec', sure, rare],
  ['eł', sure, rare],
  ['ander', sure, likely],
  ['iel', likely, sure],
  ['el', likely, sure],
  ['er', likely, sure],
  ['ień', likely, sure],
  ['eń', rare, sure],
  ['ieć', rare, sure],
]

/** `ojciec` is ojc, `cień` tni, `dzień` dni: the few finals whose cluster changes when the e falls. */
const clusters: ReadonlyArray<readonly [end: string, stem: string]> = [
  ['ojciec', 'ojc'],
  ['dzień', 'dni'],
  ['cień', 'tni'],
  ['sień', 'śni'],
  ['zień', 'źni'],
]

const dropE = (word: string): string => {
  const special = clusters.find(([end]) => word.endsWith(end))
  if (special !== undefined) return word.slice(0, -special[0].length) + special[1]
  const last = word.slice(-1)
  const head = word.slice(0, -2)
  const before = beforeMovableE(head, !'cł'.includes(last))
  const soft = softBeforeVowel(last)
  // A soft final softens what is before it anyway: Stępień – Stępnia, not Stęp'nia.
  return soft === null ? before + last : head.replace(/i$/u, '') + soft
}

const dropMovableE = (word: string): ReadonlyArray<RankedStem> => {
  const rule = movable.find(([end]) => word.endsWith(end))
  const head = word.slice(0, -2)
  if (rule === undefined || head === '' || isVowel(head.slice(-1).replace('i', ''))) return []
  const [, drops, keeps] = rule
  // Without a vowel before it the e stays as a rule: Lek, Bek, Pec.
  const isShort = !hasVowel(head.replace(/i$/u, ''))
  return [
    stem(dropE(word), isShort ? likely : drops, true),
    stem(softBeforeVowel(word) ?? word, isShort ? sure : keeps, false),
  ]
}

/** `kocioł`, `kozioł`, `osioł`: the o falls and the consonant before it hardens. */
const fallingO: ReadonlyArray<readonly [end: string, stem: string]> = [
  ['cioł', 'tł'],
  ['zioł', 'zł'],
  ['sioł', 'sł'],
]

/** Finals whose ó is o before an ending; in the others both are as likely. */
const openingO = /ó(?:w|d|g|r|b|z|ł|dź|ść)$/u
const closedO = /ó[^aąeęioóuy]{1,2}$/u
const neverOpens = /(?:król|stróż|tchórz)$/u

const openO = (word: string): ReadonlyArray<RankedStem> => {
  if (!closedO.test(word) || neverOpens.test(word)) return []
  const at = word.lastIndexOf('ó')
  const opened = `${word.slice(0, at)}o${word.slice(at + 1)}`
  const isUsual = openingO.test(word)
  return [
    stem(softBeforeVowel(opened) ?? opened, isUsual ? sure : likely, true),
    stem(softBeforeVowel(word) ?? word, isUsual ? likely : sure, false),
  ]
}

/** Words with ą in the nominative and ę before an ending; names do not follow them unless they end so. */
const opensNasal =
  /(?:dąb|ząb|gołąb|jastrząb|mąż|wąż|krąg|błąd|rząd|gałąź|żołądź|pieniądz|łabędź|kłąb|rąb|łąg|ksiąg)$/u

const openNasal = (word: string): ReadonlyArray<RankedStem> => {
  if (!opensNasal.test(word)) return []
  const at = word.lastIndexOf('ą')
  if (at < 0) return []
  const opened = `${word.slice(0, at)}ę${word.slice(at + 1)}`
  return [
    stem(softBeforeVowel(opened) ?? opened, sure, true),
    stem(softBeforeVowel(word) ?? word, likely, false),
  ]
}

/** Labials that are soft before a vowel although the nominative does not show it: gołębia, Radomia, Jarosławia. */
const softLabial = /(?:[gł][oó]ł[ąę]b|jastrz[ąę]b|ław|om|[iy]m|ąb)$/u
const surelySoftLabial =
  /(?:gołęb|jastrzęb|jarzęb|drop|karp|kurp|żółw|czerw|paw|odrzew|ietrzew|żuraw|szczaw|edwab|korab|ułow|^ołow)$/u

const softenLabials = (all: ReadonlyArray<RankedStem>): ReadonlyArray<RankedStem> =>
  all.flatMap(one =>
    softLabial.test(one.text) || surelySoftLabial.test(one.text)
      ? [
          surelySoftLabial.test(one.text) ? { ...one, rank: likely } : one,
          stem(`${one.text}i`, surelySoftLabial.test(one.text) ? one.rank : rare, one.isAltered),
        ]
      : [one],
  )

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
