import type { Chance } from '../chance.js'
import {
  adjective,
  appendTail,
  type Forms,
  feminine,
  feminineConsonant,
  forms,
  irregular,
  joinParadigms,
  mapForms,
  masculine,
  masculineInA,
  neuter,
  type Paradigm,
  placeAfter,
  placeBefore,
  plural,
  withZ,
} from './grammar.js'

export type Sex = 'man' | 'woman'

/** First parts of names; they end in a consonant that any vowel may follow. */
const beginnings =
  `Bald Bard Bolb Born Brad Brund Burz Dagob Dalb Derw Dobr Dragn Drozd Eld Ernb Falb Fald Fard
    Garb Gerd Gniew Godr Gorb Grud Gund Hald Harb Hond Hulb Ilb Irw Jand Jarb Jerb Jord Kalb Kard
    Kolb Kord Krub Kuld Lamb Lard Lest Lorb Lub Lud Malb Mard Mirb Morb Muld Nald Narb Nord Obr Odr
    Olb Ord Ostr Parb Perd Pord Radl Ralb Rond Rulb Sadl Salb Sard Sewr Skarb Sorb Stand Sulb Tamb
    Tarb Terd Told Tomb Tulb Uld Urb Wald Warb Welb Wend Wilb Wolb Zald Zbral Zdorb Zorb Żelb`.split(/\s+/u)

const givenMiddles = 'a e o u a e o u a e o u a e o u omi owi are ede oli uwa'.split(' ')

const manEndings =
  `mir dan gost wid ran rik nor bor mar wan dor mił ryk ton las sad mun war lin gar den kosz nil
    tor man rad sław gin mer wit nik`.split(/\s+/u)

const womanEndings =
  `mira dana lina wina rada lia nia sława mila wita sena rena dora lena nika gostka rina mara dila
    tara nela wara dina sila kora mona rusza nora wiera zela`.split(/\s+/u)

/** An invented given name in all its cases. */
export const makeGivenName = (chance: Chance, sex: Sex, length: number): Paradigm => {
  const middle = Array.from({ length }, () => chance.pick(givenMiddles)).join('l')
  const root = `${chance.pick(beginnings)}${middle}`
  return sex === 'man'
    ? masculine(`${root}${chance.pick(manEndings)}`, 'person')
    : feminine(`${root}${chance.pick(womanEndings)}`)
}

const surnameRoots =
  `Bra Chro Dra Gło Ho Ka Klo Kru La Mo Na Ose Pa Pro Ru Sko Sta Sza Tra Tu Wa Wie Wro Za Zmo Żu
    Dzie Rze Gwo Plą`.split(/\s+/u)
const surnameMiddles =
  'tarn kol rad mierz pin dun łup gar nos wol czar bul zaw lep kor sad mil żar buk staw'.split(' ')

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
  const root = `${chance.pick(surnameRoots)}${chance.pick(surnameMiddles)}`
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

/**
 * The head noun of a place, a group or a thing. `prep` is the preposition of place: `w karczmie`, `na targu`.
 */
interface NameHead {
  readonly noun: Paradigm
  readonly prep: 'w' | 'na'
}

const inside = (nouns: ReadonlyArray<Paradigm>): ReadonlyArray<NameHead> =>
  nouns.map(noun => ({ noun, prep: 'w' }))
const upon = (nouns: ReadonlyArray<Paradigm>): ReadonlyArray<NameHead> =>
  nouns.map(noun => ({ noun, prep: 'na' }))

const thing = (nom: string): Paradigm => masculine(nom, 'thing')
const thingU = (nom: string): Paradigm => masculine(nom, 'thing', true)
const native = (nom: string): Paradigm => feminine(nom, true)

/** Quarters of a town and land around it. */
const quarterHeads: ReadonlyArray<NameHead> = [
  ...inside([
    feminineConsonant('Przystań'),
    thing('Zaułek'),
    feminine('Dzielnica'),
    feminine('Dolina'),
    thingU('Kamieniołom'),
    plural('Ogrody', 'Ogrodów'),
    plural('Doki', 'Doków'),
    irregular('thing', forms('Las', 'Lasu', 'Lasowi', 'Las', 'Lasem', 'Lesie', 'Lesie')),
    feminine('Osada'),
    thingU('Wąwóz'),
  ]),
  ...upon([
    thingU('Targ'),
    neuter('Przedmieście'),
    neuter('Podgrodzie'),
    thingU('Rynek'),
    neuter('Nabrzeże'),
    neuter('Wzgórze'),
    plural('Bagna', 'Bagien'),
    feminine('Wyspa'),
    plural('Mury', 'Murów'),
    thingU('Plac'),
    plural('Łąki', 'Łąk'),
    irregular('thing', forms('Most', 'Mostu', 'Mostowi', 'Most', 'Mostem', 'Moście', 'Moście')),
  ]),
]

const innHeads: ReadonlyArray<NameHead> = inside([
  feminine('Karczma'),
  feminine('Gospoda'),
  feminine('Oberża'),
  irregular('thing', forms('Zajazd', 'Zajazdu', 'Zajazdowi', 'Zajazd', 'Zajazdem', 'Zajeździe', 'Zajeździe')),
])

/** Buildings and underground places. */
const buildingHeads: ReadonlyArray<NameHead> = inside([
  feminine('Wieża'),
  native('Świątynia'),
  native('Kuźnia'),
  feminine('Piwnica'),
  feminine('Biblioteka'),
  native('Latarnia'),
  thing('Młyn'),
  thingU('Dwór'),
  feminine('Kaplica'),
  thing('Spichlerz'),
  feminine('Krypta'),
  feminine('Strażnica'),
  feminine('Apteka'),
  native('Łaźnia'),
  thingU('Skład'),
  thingU('Warsztat'),
  irregular(
    'neuter',
    forms('Archiwum', 'Archiwum', 'Archiwum', 'Archiwum', 'Archiwum', 'Archiwum', 'Archiwum'),
  ),
  native('Stajnia'),
  plural('Ruiny', 'Ruin'),
  feminine('Mennica'),
  feminine('Grota'),
])

const groupHeads: ReadonlyArray<Paradigm> = [
  neuter('Bractwo'),
  feminine('Gildia'),
  thingU('Zakon'),
  feminine('Kompania'),
  thingU('Cech'),
  feminineConsonant('Straż'),
  feminine('Drużyna'),
  thingU('Konwent'),
  feminine('Rota'),
  neuter('Towarzystwo'),
  feminine('Loża'),
  irregular('thing', forms('Krąg', 'Kręgu', 'Kręgowi', 'Krąg', 'Kręgiem', 'Kręgu', 'Kręgu')),
]

const itemHeads: ReadonlyArray<Paradigm> = [
  ...[
    'Miecz',
    'Pierścień',
    'Klucz',
    'Kielich',
    'Płaszcz',
    'Naszyjnik',
    'Kostur',
    'Kaptur',
    'Grzebień',
    'Dzban',
  ].map(thing),
  ...['Amulet', 'Sztylet', 'Róg', 'Hełm', 'Łuk', 'Medalion', 'Puchar', 'Zwój', 'Sztandar'].map(thingU),
  ...['Księga', 'Lampa', 'Maska', 'Tarcza', 'Szkatuła', 'Czara', 'Chusta', 'Figurka'].map(nom =>
    feminine(nom),
  ),
  ...['Latarnia', 'Włócznia', 'Lutnia'].map(native),
  ...['Pieczęć', 'Obręcz'].map(feminineConsonant),
  ...['Zwierciadło', 'Berło', 'Ostrze', 'Pióro'].map(neuter),
]

/** Heads of a region, with an adjective after them: Pogórze Mgliste. */
const regionHeads: ReadonlyArray<Paradigm> = [
  feminine('Marchia'),
  plural('Kresy', 'Kresów'),
  neuter('Pogórze'),
  neuter('Pobrzeże'),
  feminine('Nizina'),
  feminine('Wyżyna'),
  feminine('Puszcza'),
  plural('Wyspy', 'Wysp'),
  feminine('Równina'),
  neuter('Pojezierze'),
]

/**
 * A name with its short form, which is the head noun in lower case (`karczma`), and its preposition of place.
 */
export interface PlaceName {
  readonly full: Paradigm
  readonly short: Paradigm
  readonly prep: 'w' | 'na'
}

const small = (of: Paradigm): Paradigm => ({
  gender: of.gender,
  forms: {
    nom: of.forms.nom.toLowerCase(),
    gen: of.forms.gen.toLowerCase(),
    dat: of.forms.dat.toLowerCase(),
    acc: of.forms.acc.toLowerCase(),
    ins: of.forms.ins.toLowerCase(),
    loc: of.forms.loc.toLowerCase(),
    voc: of.forms.voc.toLowerCase(),
  },
})

const nameByHead = (head: NameHead, full: Paradigm): PlaceName => ({
  full,
  short: small(head.noun),
  prep: head.prep,
})

const alone = (name: Paradigm): PlaceName => ({ full: name, short: name, prep: 'w' })

const placeRoots =
  `Orw Brzes Kald Wilk Grzyb Hard Lest Mirg Terb Sulb Dorn Wrzos Stol Glaz Chmur Olb Rudz Krusz Jaz
    Skorn Toporz Wardz Zimn Lubr Ost Pszcz Nark Gawr Żelm Burg`.split(/\s+/u)
const placeMiddles = ['', 'ol', 'an', 'ub', 'ar', 'ed', 'ut', 'ogr']

const landRoots =
  'Kald Harn Ostr Wel Tor Sarm Lor Brun Ard Mirw Gald Ulm Nord Falb Jorw Drew Tarw Zorb'.split(' ')
const landEndings = ['onia', 'awia', 'enia', 'atia', 'elia', 'undia']

/** A land: Kaldonia. */
export const land = (chance: Chance): PlaceName =>
  alone(feminine(`${chance.pick(landRoots)}${chance.pick(landEndings)}`))

/** A town or a village. */
export const town = (chance: Chance): PlaceName => {
  const root = `${chance.pick(placeRoots)}${chance.pick(placeMiddles)}`
  switch (chance.whole(0, 7)) {
    case 0:
      return alone(masculine(`${root}ów`, 'thing'))
    case 1:
      return alone(neuter(`${root}owo`))
    case 2:
      return alone(masculine(`${root}ogród`, 'thing', true))
    case 3:
      return alone(plural(`${root}owice`, `${root}owic`))
    case 4:
      return alone(feminine(`${root}awa`))
    case 5:
      return alone(masculine(`${root}obór`, 'thing', true))
    case 6:
      return alone(masculine(`${root}ańsk`, 'thing'))
    default:
      return alone(neuter(`${root}opole`))
  }
}

/** A quarter or land near a town: Targ Solny, Ślepy Zaułek. */
export const quarter = (chance: Chance): PlaceName => {
  const head = chance.pick(quarterHeads)
  const word = chance.pick(adjectives)
  return nameByHead(head, chance.truth(0.6) ? placeAfter(head.noun, word) : placeBefore(word, head.noun))
}

/** A building: Karczma Pod Kulawym Wilkiem, Wieża Srebrnej Igły. */
export const nameBuilding = (chance: Chance): PlaceName => {
  if (chance.truth(0.3)) {
    const head = chance.pick(innHeads)
    return nameByHead(head, appendTail(head.noun, `Pod ${emblem(chance).forms.ins}`))
  }
  const head = chance.pick(buildingHeads)
  return nameByHead(head, appendTail(head.noun, emblem(chance).forms.gen))
}

export const group = (chance: Chance): PlaceName => {
  const noun = chance.pick(groupHeads)
  return nameByHead({ noun, prep: 'w' }, appendTail(noun, emblem(chance).forms.gen))
}

export const item = (chance: Chance): PlaceName => {
  const noun = chance.pick(itemHeads)
  return nameByHead({ noun, prep: 'w' }, appendTail(noun, emblem(chance).forms.gen))
}

export const region = (chance: Chance): PlaceName => {
  const noun = chance.pick(regionHeads)
  return nameByHead({ noun, prep: 'w' }, placeAfter(noun, chance.pick(adjectives)))
}

/** The name distinguished by its parent: `Stara Studnia (Orwanów)` (LAYOUT, A 2.5). */
export const qualifyName = (of: PlaceName, parent: string): PlaceName => ({
  ...of,
  full: appendTail(of.full, `(${parent})`),
})

/** Adjectives for emblems, places and things. */
const adjectives =
  `srebrny złoty czarny biały szary siwy kulawy ślepy cichy głuchy stary wędrowny śpiący płonący
    zimny krwawy mglisty zielony rdzawy milczący ostatni wielki dziki popielaty bursztynowy kamienny
    dębowy żelazny szklany gorzki modry niski solny wietrzny`.split(/\s+/u)

const beast = (nom: string): Paradigm => masculine(nom, 'person')

/** Emblems of signs, guilds and inns. The accusative of beasts equals the genitive, as with persons. */
const emblems: ReadonlyArray<Paradigm> = [
  ...'Wilk Kruk Jeleń Dzik Niedźwiedź Szczupak Puchacz Bocian Łabędź Tur Szerszeń'.split(' ').map(beast),
  ...'Płomień Młot Klucz Księżyc Dzwon Miecz Grzebień Warkocz Kaptur'
    .split(' ')
    .map(nom => masculine(nom, 'thing')),
  ...'Gwiazda Wieża Czara Korona Róża Sowa Kotwica Igła Brama Rzeka Kukułka Maska Gałązka Podkowa Włócznia'
    .split(' ')
    .map(nom => feminine(nom, true)),
  ...['Latarnia', 'Łania', 'Lutnia', 'Jaskółka'].map(nom => feminine(nom, true)),
  ...'Pióro Oko Koło Serce Jezioro Słońce Zwierciadło Ostrze'.split(' ').map(neuter),
  irregular('thing', forms('Dąb', 'Dębu', 'Dębowi', 'Dąb', 'Dębem', 'Dębie', 'Dębie')),
  irregular('thing', forms('Topór', 'Topora', 'Toporowi', 'Topór', 'Toporem', 'Toporze', 'Toporze')),
]

/** An adjective with an emblem: Szara Sowa. */
const emblem = (chance: Chance): Paradigm => placeBefore(chance.pick(adjectives), chance.pick(emblems))

const plain: Readonly<Record<string, string>> = {
  ą: 'a',
  ć: 'c',
  ę: 'e',
  ł: 'l',
  ń: 'n',
  ó: 'o',
  ś: 's',
  ź: 'z',
  ż: 'z',
}

/** The form of a name for addresses: ASCII letters, digits and hyphens. */
export const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[ąćęłńóśźż]/gu, letter => plain[letter] ?? '')
    .replace(/[^a-z0-9]+/gu, '-')
    .replace(/^-|-$/gu, '')
