import { forms, type Paradigm } from './cases.js'
import { feminine, feminineConsonant, irregular, masculine, neuter, plural } from './nouns.js'

/**
 * The head noun of a place, a group or a thing. `prep` is the preposition of place: `w karczmie`, `na targu`.
 */
export interface NameHead {
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
export const quarterHeads: ReadonlyArray<NameHead> = [
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

export const innHeads: ReadonlyArray<NameHead> = inside([
  feminine('Karczma'),
  feminine('Gospoda'),
  feminine('Oberża'),
  irregular('thing', forms('Zajazd', 'Zajazdu', 'Zajazdowi', 'Zajazd', 'Zajazdem', 'Zajeździe', 'Zajeździe')),
])

/** Buildings and underground places. */
export const buildingHeads: ReadonlyArray<NameHead> = inside([
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

export const groupHeads: ReadonlyArray<Paradigm> = [
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

export const itemHeads: ReadonlyArray<Paradigm> = [
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
export const regionHeads: ReadonlyArray<Paradigm> = [
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
