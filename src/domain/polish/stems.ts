import { hasVowel, isVowel, softBeforeVowel } from './sounds.js'
import { likely, type Rank, rare, sure } from './word-form.js'

/** A stem that endings are added to. */
export interface RankedStem {
  readonly text: string
  readonly rank: Rank
  readonly isAltered: boolean
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

/** Every stem of a word that ends in a consonant, each once. */
export const consonantStems = (word: string): ReadonlyArray<RankedStem> => {
  const falling = fallingO.find(([end]) => word.endsWith(end))
  if (falling !== undefined)
    return [stem(word.slice(0, -4) + falling[1], sure, true), stem(word, likely, false)]
  if (word.endsWith('x')) return [stem(`${word.slice(0, -1)}ks`, sure, true), stem(word, likely, false)]
  const found = [dropMovableE, openO, openNasal].map(of => of(word)).find(all => all.length > 0)
  return softenLabials(found ?? [stem(softBeforeVowel(word) ?? word, sure, false)])
}
