import type { Chance } from '../chance.js'
import type { Change } from '../commit.js'
import { type DemoRow, demoBlockText, type EntityBlock } from '../entities/entities.js'
import { makeGivenName, slug } from '../names/names.js'
import { notes } from '../prose/tables.js'
import { renderTemplate } from '../template.js'
import type { DemoCharacter, DemoPlayer, WorldCast } from './cast.js'

/** The inputs of a character file. */
interface CharacterLore {
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

const hex = (chance: Chance): string =>
  Array.from({ length: 64 }, () => chance.whole(0, 15).toString(16)).join('')

const idRows = (player: DemoPlayer): ReadonlyArray<DemoRow> => {
  if (player.retired) return [['gameid', `${player.gameId} (2018-04:2021-09)`]]
  return player.formerId === null
    ? [['gameid', `${player.gameId} (2018-04:)`]]
    : [
        ['gameid', `${player.gameId} (2023-06:)`],
        ['gameid', `${player.formerId} (2018-04:2023-05)`],
      ]
}

/** A channel, a refusal, or nothing: the three states of the census of channels (A 2.3). */
const chatRows = (player: DemoPlayer, at: number): ReadonlyArray<DemoRow> => {
  if (at % 7 === 4) return [['chat', 'BRAK']]
  return at % 9 === 8 ? [] : [['chat', `sesje/${slug(player.nick)}-kanał`]]
}

const topics = ['tortury', 'krzywda zwierząt', 'pająki', 'utonięcie', 'przemoc wobec dzieci']

const playerBlock = (player: DemoPlayer, at: number, chance: Chance): EntityBlock => ({
  heading: player.nick,
  rows: [
    ...idRows(player),
    ...player.roles.map(
      (role): DemoRow => ['rola', `${role} (${role === 'Radny' ? '2025-12-31' : '2019-01'}:)`],
    ),
    ...(at % 11 === 5 ? [['rola', 'Narrator (2019-01:2022-03)'] as const] : []),
    ['status', player.retired ? 'Nieaktywny (2021-10:)' : 'Aktywny'],
    ...chatRows(player, at),
    ...(at % 13 === 2 ? [['klucz_api', `sha256:${hex(chance)}`] as const] : []),
    ...(at % 3 === 0 ? [['tematy', chance.some(topics, 2).join(', ')] as const] : []),
    ['alias', `${player.nick.slice(0, 4)}-${player.gameId.slice(-3)}`],
  ],
})

const roleBlocks: ReadonlyArray<EntityBlock> = [
  { heading: 'Narrator', rows: [['chat_rola', 'Narratorzy']] },
  { heading: 'Radny', rows: [['chat_rola', 'Rada']] },
  { heading: 'IT', rows: [['chat_rola', 'Dział techniczny']] },
  { heading: 'MC', rows: [['chat_rola', 'Moderacja']] },
]

/** `kontrybutorzy.md` (LAYOUT). */
export const contributorsText = (cast: WorldCast, chance: Chance): string =>
  [
    '## Gracz\n',
    ...cast.players.map((player, at) => demoBlockText(playerBlock(player, at, chance))),
    '## Role\n',
    ...roleBlocks.map(demoBlockText),
  ].join('\n')

/** One in this many players had another nick before. */
const renamedEvery = 4

/** `.svc/players/ledger.jsonl`: the nicks of the players in the game, with the day from which each is known. */
export const playersLedger = (cast: WorldCast, chance: Chance): Change => {
  const lines = cast.players.flatMap(({ nick, gameId }, at) => {
    const charId = String(700_000 + at * 13)
    const year = chance.whole(2019, 2025)
    const row = { gameId, nick, charId, since: `${year}-0${chance.whole(1, 9)}-${chance.whole(10, 28)}` }
    const former = makeGivenName(chance, 'man', 2).forms.nom
    return at % renamedEvery === 0
      ? [{ ...row, nick: former, since: `${year - 1}-11-${chance.whole(10, 28)}` }, row]
      : [row]
  })
  return {
    path: '.svc/players/ledger.jsonl',
    text: lines.map(line => `${JSON.stringify(line)}\n`).join(''),
  }
}
