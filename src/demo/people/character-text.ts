import type { Chance } from '../chance.js'
import { notes } from '../prose/tables.js'
import { slug } from '../slug.js'
import { renderTemplate } from '../template.js'
import type { DemoCharacter, WorldCast } from './cast.js'

/** The inputs of a character file. */
export interface CharacterLore {
  readonly cast: WorldCast
  /** Headers of the sessions the character took part in, oldest first. */
  readonly headers: ReadonlyArray<string>
  readonly chance: Chance
}

/** What people at a place think of a character, for a man and for a woman. */
const opinions: ReadonlyArray<Readonly<Record<DemoCharacter['sex'], string>>> = [
  { man: 'znany z widzenia', woman: 'znana z widzenia' },
  { man: 'mieszkańcy go nie pamiętają', woman: 'mieszkańcy jej nie pamiętają' },
  { man: 'cierpliwie znoszony', woman: 'cierpliwie znoszona' },
]

/**
 * Without a colon `X (Y)` is a place and a detail (FORMATS 3), so only places without parentheses in their
 * name are used.
 */
const reputation = ({ cast, chance }: CharacterLore, { sex }: DemoCharacter): ReadonlyArray<string> => {
  const plain = cast.places.filter(place => !place.name.includes('('))
  const names = chance.some(plain, 4).map(place => place.name)
  return [
    `- Pozytywna: ${names.slice(0, 2).join(', ')}`,
    '- Neutralna:',
    `    - ${names[2] ?? ''}: ${chance.pick(opinions)[sex]}`,
    chance.truth(0.5) ? '- Negatywna: ' : `- Negatywna: ${names[3] ?? ''}`,
  ]
}

const noteLines = (lore: CharacterLore, character: DemoCharacter): ReadonlyArray<string> => {
  const { cast, chance } = lore
  return chance.some(notes, chance.whole(1, 3)).map(text => {
    const [N, M] = chance.some(cast.npcs, 2)
    const [L, K] = chance.some(cast.places, 2)
    if (!N || !M || !L || !K) throw new Error('a world too small for notes')
    const roles = {
      S: character.role,
      N: N.role,
      M: M.role,
      L: L.role,
      K: K.role,
      G: chance.pick(cast.groups).role,
      I: chance.pick(cast.things).role,
    }
    return `- ${renderTemplate(text, roles, { told: new Set() }, chance)}`
  })
}

export const demoCharacterPath = (character: DemoCharacter): string => `Postaci/Gracze/${character.name}.md`

/** A file `Postaci/Gracze/<Postać>.md`, ordered like the template (FORMATS 3). */
export const characterText = (lore: CharacterLore, character: DemoCharacter): string => {
  const { chance } = lore
  const item = chance.pick(lore.cast.things).name
  return [
    `**Karta Postaci:** https://karty.example.org/${slug(character.name)}`,
    '',
    '**Tematy zastrzeżone:**',
    chance.truth(0.3) ? 'Utonięcie, pająki.' : 'Brak.',
    '',
    '**Stan:**',
    character.sex === 'man' ? 'Zdrowy.' : 'Zdrowa.',
    '',
    '**Przedmioty specjalne:**',
    chance.truth(0.5) ? `- ${item}` : 'Brak.',
    '',
    '**Reputacja:**',
    ...reputation(lore, character),
    '',
    '**Dodatkowe informacje:**',
    ...noteLines(lore, character),
    '',
    '**Opisane sesje:**',
    '',
    ...lore.headers.flatMap(header => [`### ${header}`, '']),
    '[[_TOC_]]',
    '',
  ].join('\n')
}
