import type { Chance } from '../chance.js'
import { appendTail, placeAfter, placeBefore } from './adjectives.js'
import { forms, type Paradigm } from './cases.js'
import {
  buildingHeads,
  groupHeads,
  innHeads,
  itemHeads,
  type NameHead,
  quarterHeads,
  regionHeads,
} from './heads.js'
import { feminine, irregular, masculine, neuter, plural } from './nouns.js'

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

const roots =
  `Orw Brzes Kald Wilk Grzyb Hard Lest Mirg Terb Sulb Dorn Wrzos Stol Glaz Chmur Olb Rudz Krusz Jaz
    Skorn Toporz Wardz Zimn Lubr Ost Pszcz Nark Gawr Żelm Burg`.split(/\s+/u)
const middles = ['', 'ol', 'an', 'ub', 'ar', 'ed', 'ut', 'ogr']

const landRoots =
  'Kald Harn Ostr Wel Tor Sarm Lor Brun Ard Mirw Gald Ulm Nord Falb Jorw Drew Tarw Zorb'.split(' ')
const landEndings = ['onia', 'awia', 'enia', 'atia', 'elia', 'undia']

/** A land: Kaldonia. */
export const land = (chance: Chance): PlaceName =>
  alone(feminine(`${chance.pick(landRoots)}${chance.pick(landEndings)}`))

/** A town or a village. */
export const town = (chance: Chance): PlaceName => {
  const root = `${chance.pick(roots)}${chance.pick(middles)}`
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
