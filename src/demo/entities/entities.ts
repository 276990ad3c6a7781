import { registryMark } from '#src/domain/adoption/registry.js'
import { pathSegment } from '#src/domain/lore/layout.js'
import { dayText, type EpochDay, epochDay } from '../calendar.js'
import type { Chance } from '../chance.js'
import { slug } from '../names/names.js'
import type { CastEntry, DemoCharacter, DemoPerson, DemoPlace, Stack, WorldCast } from '../people/cast.js'
import {
  characterInfos,
  groupInfos,
  itemInfos,
  mapInfos,
  npcInfos,
  placeInfos,
  regionInfos,
} from '../prose/tables.js'
import { type Cast, type Role, renderTemplate, type Template } from '../template.js'

/** A row of the file: `- @tag: value`. */
export type DemoRow = readonly [tag: string, value: string]

/** A block of an index file, its rows in order. */
export interface EntityBlock {
  readonly heading: string
  readonly rows: ReadonlyArray<DemoRow>
}

export const demoBlockText = (block: EntityBlock): string =>
  `### ${block.heading}\n${block.rows.map(([tag, value]) => `- @${tag}: ${value}\n`).join('')}`

const month = (day: EpochDay): string => dayText(day).slice(0, 7)

/** `value (from:to)`; a null side is open. */
const withRange = (value: string, from: string | null, to: string | null): string =>
  `${value} (${from ?? ''}:${to ?? ''})`

/** The first day of a month before any session is played: when most things began. */
const pickEarlyDay = (chance: Chance): EpochDay => epochDay(2008 + chance.whole(0, 5), chance.whole(1, 12), 1)

/** A value that holds from the month of a day on. */
const valueSince = (value: string, day: EpochDay): string => withRange(value, month(day), null)

/**
 * A scalar with changes: consecutive closed ranges, then an open one, unless a session sets the value from
 * `until` on.
 */
const historyRows = (
  tag: string,
  values: ReadonlyArray<string>,
  until: EpochDay | null,
  chance: Chance,
): ReadonlyArray<DemoRow> => {
  let from = pickEarlyDay(chance)
  return values.map((value, at): DemoRow => {
    const last = at === values.length - 1
    const end = epochDay(2018 - values.length + at, chance.whole(1, 12), 1)
    const row: DemoRow = last
      ? [tag, until === null ? valueSince(value, from) : withRange(value, month(from), dayText(until - 1))]
      : [tag, withRange(value, month(from), month(end))]
    const [year = 0, number = 0] = month(end).split('-').map(Number)
    from = number === 12 ? epochDay(year + 1, 1, 1) : epochDay(year, number + 1, 1)
    return row
  })
}

/** The inputs of blocks: the cast, and the day from which closed sessions set a scalar of an entity. */
export interface DemoLore {
  readonly cast: WorldCast
  readonly moved: ReadonlyMap<string, EpochDay>
  readonly chance: Chance
}

/** A cast for the prose about `subject`, drawn from the whole world. */
const castFor = ({ cast, chance }: DemoLore, subject: Role): Cast => {
  const [N, M] = chance.some(cast.npcs, 2)
  const [L, K] = chance.some(
    cast.places.filter((_, at) => at >= 2),
    2,
  )
  const [G, H] = chance.some(cast.groups, 2)
  const I = chance.pick(cast.things)
  if (!N || !M || !L || !K || !G || !H) throw new Error('a world too small to tell of')
  return { S: subject, N: N.role, M: M.role, L: L.role, K: K.role, G: G.role, H: H.role, I: I.role }
}

const infos = (
  lore: DemoLore,
  subject: Role,
  from: ReadonlyArray<Template>,
  count: number,
): ReadonlyArray<DemoRow> =>
  lore.chance.some(from, count).map((text): DemoRow => {
    const sentence = renderTemplate(text, castFor(lore, subject), { told: new Set('S') }, lore.chance)
    return ['info', sentence]
  })

const statusOf = (chance: Chance): ReadonlyArray<DemoRow> => {
  const began = pickEarlyDay(chance)
  const kind = chance.share()
  if (kind < 0.04)
    return [
      ['status', withRange('Aktywny', null, '2023-12')],
      ['status', withRange('Nieaktywny', '2024-01', null)],
    ]
  if (kind < 0.06) return [['status', valueSince('Niepewny', began)]]
  if (kind < 0.08)
    return [
      ['status', withRange('Aktywny', null, '2025-06')],
      ['status', withRange('Usunięty', '2025-07', null)],
    ]
  return [['status', valueSince('Aktywny', began)]]
}

const aliasOf = (person: DemoPerson, chance: Chance): ReadonlyArray<DemoRow> =>
  person.given === person.name ? [] : [['alias', valueSince(person.given, pickEarlyDay(chance))]]

export const npcBlock = (lore: DemoLore, person: DemoPerson): EntityBlock => {
  const { cast, chance, moved } = lore
  const homes = chance.some(cast.places, chance.whole(1, 3)).map(place => place.name)
  return {
    heading: person.name,
    rows: [
      ['typ', 'NPC'],
      ...aliasOf(person, chance),
      ...historyRows('lokacja', homes, moved.get(person.name) ?? null, chance),
      ['grupa', valueSince(chance.pick(cast.groups).name, pickEarlyDay(chance))],
      ['pochodzenie', chance.pick(cast.places).name],
      ...infos(lore, person.role, npcInfos, chance.whole(1, 2)),
      ...statusOf(chance),
    ],
  }
}

export const groupBlock = (lore: DemoLore, group: CastEntry): EntityBlock => {
  const { cast, chance } = lore
  const seats = chance.some(cast.places, chance.whole(1, 2)).map(place => place.name)
  return {
    heading: group.name,
    rows: [
      ['typ', 'Grupa'],
      ...historyRows('lokacja', seats, null, chance),
      ['chat', `frakcje/${slug(group.name)}`],
      ...infos(lore, group.role, groupInfos, 2),
      ['tagi', chance.pick(['rzemiosło', 'handel', 'wiara', 'straż', 'nauka'])],
      ['status', valueSince('Aktywny', pickEarlyDay(chance))],
    ],
  }
}

/** `doors` are the places that can be reached directly from here. */
export const placeBlock = (
  lore: DemoLore,
  place: DemoPlace,
  doors: ReadonlyArray<DemoPlace>,
): EntityBlock => {
  const { cast, chance } = lore
  const began = pickEarlyDay(chance)
  return {
    heading: place.name,
    rows: [
      ['typ', 'Lokacja'],
      ...(place.parent === null ? [] : [['lokacja', valueSince(place.parent.name, began)] as const]),
      ...doors.map((door): DemoRow => ['drzwi', valueSince(door.name, pickEarlyDay(chance))]),
      ...(place.depth > 2 ? [] : [['region', valueSince(chance.pick(cast.regions).name, began)] as const]),
      ['outerior', place.depth === 4 ? 'nie' : 'tak'],
      ...infos(lore, place.role, placeInfos, 1),
      ['status', valueSince('Aktywny', began)],
    ],
  }
}

export const regionBlock = (lore: DemoLore, region: CastEntry, parent: CastEntry | null): EntityBlock => ({
  heading: region.name,
  rows: [
    ['typ', 'Region'],
    ...(parent === null ? [] : [['region', valueSince(parent.name, pickEarlyDay(lore.chance))] as const]),
    ...infos(lore, region.role, regionInfos, 2),
    ['tagi', lore.chance.pick(['pogranicze', 'rolnictwo', 'kopalnie', 'żegluga'])],
    ['status', valueSince('Aktywny', pickEarlyDay(lore.chance))],
  ],
})

/** The map of a place; every second one shares the place's heading (D12), every sixth was not measured yet. */
export const mapBlock = (lore: DemoLore, place: DemoPlace, at: number): EntityBlock => {
  const { chance } = lore
  const [width, height] = [chance.whole(2, 12) * 8, chance.whole(2, 12) * 8]
  return {
    heading: at % 2 === 0 ? place.name : `Mapa ${place.role.full.forms.gen}`,
    rows: [
      ['typ', 'Mapa'],
      ['lokacja', place.name],
      ['gameid', String(3000 + at)],
      ['url', `https://mapy.example.org/${slug(place.name)}-${at}.png`],
      ...(at % 6 === 5 ? [] : [['wymiary', `${width}x${height}`] as const]),
      ['koordynaty', `${chance.whole(0, width)},${chance.whole(0, height)}`],
      ['slug', `${slug(place.name)}-${at}`],
      ...infos(lore, place.role, mapInfos, 1),
      ['status', 'Aktywny'],
    ],
  }
}

export const thingBlock = (lore: DemoLore, thing: CastEntry): EntityBlock => {
  const { cast, chance, moved } = lore
  const keepers = chance.some(cast.npcs, chance.whole(1, 2)).map(person => person.name)
  const until = moved.get(thing.name) ?? null
  const kept = until !== null || chance.truth(0.6)
  return {
    heading: thing.name,
    rows: [
      ['typ', 'Przedmiot'],
      ...(kept
        ? historyRows('należy_do', keepers, until, chance)
        : historyRows(
            'lokacja',
            chance.some(cast.places, 1).map(place => place.name),
            null,
            chance,
          )),
      ['pochodzenie', chance.pick(cast.places).name],
      ...infos(lore, thing.role, itemInfos, chance.whole(1, 2)),
      ['tagi', chance.pick(['relikwia', 'broń', 'pamiątka', 'narzędzie'])],
      ...statusOf(chance),
    ],
  }
}

export const stackBlock = (stack: Stack): EntityBlock => ({
  heading: stack.name,
  rows: [
    ['typ', 'Przedmiot'],
    ['generyczne_nazwy', stack.denomination],
    ['należy_do', withRange(stack.owner, '2015-06', null)],
    ['ilość', withRange(String(stack.opening), '2023-12', null)],
    ['info', `Stan zapisany przy spisie majątku w grudniu 2023 roku; właściciel: ${stack.owner}.`],
    ['status', withRange('Aktywny', '2023-12', null)],
  ],
})

/** The block of a character without its PU rows, which every settlement writes again. */
export const demoCharacterBlock = (lore: DemoLore, character: DemoCharacter): EntityBlock => {
  const { cast, chance } = lore
  const homes = chance.some(cast.places, 2).map(place => place.name)
  return {
    heading: character.name,
    rows: [
      ['typ', 'Postać'],
      ['należy_do', character.owner.nick],
      ...aliasOf(character, chance),
      ...historyRows('lokacja', homes, null, chance),
      ['grupa', valueSince(chance.pick(cast.groups).name, pickEarlyDay(chance))],
      ['karta_postaci', `https://karty.example.org/${slug(character.name)}`],
      ...infos(lore, character.role, characterInfos, 1),
      ['status', valueSince('Aktywny', pickEarlyDay(chance))],
    ],
  }
}

/** A session as the registry lists it. */
interface Listed {
  readonly header: string
  readonly day: number
  readonly path: string
  readonly places: ReadonlyArray<DemoPlace>
}

const chain = (place: DemoPlace | null): ReadonlyArray<string> =>
  place === null ? [] : [...chain(place.parent), pathSegment(place.name)]

const newestFirst = (left: Listed, right: Listed): number =>
  right.day - left.day || (left.header < right.header ? 1 : left.header > right.header ? -1 : 0)

/** The files `Lokacje/<root>/…/<place>/Sesje.md` for the sessions (D37): what a regeneration would write. */
export const demoRegistryFiles = (
  sessions: ReadonlyArray<Listed>,
): ReadonlyArray<{ readonly path: string; readonly text: string }> => {
  const files = new Map<DemoPlace, Array<Listed>>()
  for (const session of [...sessions].sort(newestFirst))
    for (const place of new Set(session.places)) {
      const listed = files.get(place) ?? []
      listed.push(session)
      files.set(place, listed)
    }
  return [...files].map(([place, listed]) => ({
    path: ['Lokacje', ...chain(place), 'Sesje.md'].join('/'),
    text: [registryMark, ...listed.map(session => `- ${session.header} (${session.path})`), ''].join('\n'),
  }))
}
