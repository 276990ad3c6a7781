import type { Chance } from '../chance.js'
import { type DemoRow, demoBlockText, type EntityBlock } from '../entities/entity-rows.js'
import { slug } from '../slug.js'
import type { DemoPlayer, WorldCast } from './cast.js'

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
