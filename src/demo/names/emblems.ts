import type { Chance } from '../chance.js'
import { placeBefore } from './adjectives.js'
import { forms, type Paradigm } from './cases.js'
import { feminine, irregular, masculine, neuter } from './nouns.js'

/** Adjectives for emblems, places and things. */
export const adjectives =
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
export const emblem = (chance: Chance): Paradigm => placeBefore(chance.pick(adjectives), chance.pick(emblems))
