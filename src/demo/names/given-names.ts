import type { Chance } from '../chance.js'
import type { Paradigm } from './cases.js'
import { feminine, masculine } from './nouns.js'

export type Sex = 'man' | 'woman'

/** First parts of names; they end in a consonant that any vowel may follow. */
const beginnings =
  `Bald Bard Bolb Born Brad Brund Burz Dagob Dalb Derw Dobr Dragn Drozd Eld Ernb Falb Fald Fard
    Garb Gerd Gniew Godr Gorb Grud Gund Hald Harb Hond Hulb Ilb Irw Jand Jarb Jerb Jord Kalb Kard
    Kolb Kord Krub Kuld Lamb Lard Lest Lorb Lub Lud Malb Mard Mirb Morb Muld Nald Narb Nord Obr Odr
    Olb Ord Ostr Parb Perd Pord Radl Ralb Rond Rulb Sadl Salb Sard Sewr Skarb Sorb Stand Sulb Tamb
    Tarb Terd Told Tomb Tulb Uld Urb Wald Warb Welb Wend Wilb Wolb Zald Zbral Zdorb Zorb Żelb`.split(/\s+/u)

const middles = 'a e o u a e o u a e o u a e o u omi owi are ede oli uwa'.split(' ')

const manEndings =
  `mir dan gost wid ran rik nor bor mar wan dor mił ryk ton las sad mun war lin gar den kosz nil
    tor man rad sław gin mer wit nik`.split(/\s+/u)

const womanEndings =
  `mira dana lina wina rada lia nia sława mila wita sena rena dora lena nika gostka rina mara dila
    tara nela wara dina sila kora mona rusza nora wiera zela`.split(/\s+/u)

/** An invented given name in all its cases. */
export const makeGivenName = (chance: Chance, sex: Sex, length: number): Paradigm => {
  const middle = Array.from({ length }, () => chance.pick(middles)).join('l')
  const root = `${chance.pick(beginnings)}${middle}`
  return sex === 'man'
    ? masculine(`${root}${chance.pick(manEndings)}`, 'person')
    : feminine(`${root}${chance.pick(womanEndings)}`)
}
