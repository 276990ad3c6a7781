import type { Chance } from '../chance.js'
import { adjective, appendTail, joinParadigms } from './adjectives.js'
import { type Forms, mapForms, type Paradigm } from './cases.js'
import type { Sex } from './given-names.js'
import { feminine, masculine, masculineInA } from './nouns.js'
import { withZ } from './preposition.js'

const roots = `Bra Chro Dra Gło Ho Ka Klo Kru La Mo Na Ose Pa Pro Ru Sko Sta Sza Tra Tu Wa Wie Wro Za Zmo Żu
    Dzie Rze Gwo Plą`.split(/\s+/u)
const middles = 'tarn kol rad mierz pin dun łup gar nos wol czar bul zaw lep kor sad mil żar buk staw'.split(
  ' ',
)

const adjectival = ['owski', 'ecki', 'alski', 'icki']
const nominal = ['owicz', 'ak', 'arz', 'ek']

const epithets = `Kulawy Rudy Siwy Cichy Ślepy Łysy Głuchy Młodszy Srogi Blady Czarny Hardy Mądry Szczerbaty
    Wysoki Bosy Stary Niemy Gorzki Krzywy`.split(/\s+/u)

const indeclinable = (text: string): Forms => ({
  nom: text,
  gen: text,
  dat: text,
  acc: text,
  ins: text,
  loc: text,
  voc: text,
})

const capital = (of: Forms): Forms => mapForms(of, form => form.charAt(0).toUpperCase() + form.slice(1))

const genderOf = (sex: Sex) => (sex === 'man' ? 'person' : 'feminine')

/**
 * A surname that agrees with the sex of its bearer; one that ends in a consonant does not change for a woman.
 */
const surname = (chance: Chance, sex: Sex): Paradigm => {
  const root = `${chance.pick(roots)}${chance.pick(middles)}`
  const gender = genderOf(sex)
  if (chance.truth(0.6))
    return { gender, forms: capital(adjective(`${root}${chance.pick(adjectival)}`, gender)) }
  const whole = `${root}${chance.pick(nominal)}`
  return sex === 'man' ? masculine(whole, 'person') : { gender, forms: indeclinable(whole) }
}

/**
 * A full name: the given name with a surname, an epithet or a place of origin (`towns` in the genitive), or
 * alone.
 */
export const fullName = (
  chance: Chance,
  sex: Sex,
  given: Paradigm,
  towns: ReadonlyArray<string>,
): Paradigm => {
  const kind = chance.share()
  const gender = genderOf(sex)
  if (kind < 0.55) return joinParadigms(given, surname(chance, sex))
  if (kind < 0.75)
    return joinParadigms(given, { gender, forms: capital(adjective(chance.pick(epithets), gender)) })
  return kind < 0.9 ? appendTail(given, withZ(chance.pick(towns))) : given
}

const men: ReadonlyArray<Paradigm> = [
  ...`kowal kupiec strażnik zielarz bednarz rybak kapłan żeglarz medyk karczmarz pisarz kurier złotnik
    młynarz łucznik flisak górnik bartnik snycerz tkacz powroźnik garncarz kronikarz`
    .split(/\s+/u)
    .map(nom => masculine(nom, 'person')),
  ...['poborca', 'wróżbita', 'starosta', 'dozorca'].map(masculineInA),
]

const women: ReadonlyArray<Paradigm> =
  `strażniczka zielarka bednarka rybaczka kapłanka żeglarka medyczka karczmarka pisarka kurierka
    złotniczka młynarka łuczniczka wróżka snycerka tkaczka garncarka kronikarka tropicielka`
    .split(/\s+/u)
    .map(nom => feminine(nom))

/** The trade of a person, placed before the name: `kowal Boran`, `kowalem Boranem`. */
export const trade = (chance: Chance, sex: Sex): Paradigm => chance.pick(sex === 'man' ? men : women)
