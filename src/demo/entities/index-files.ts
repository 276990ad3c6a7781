import { fixed2 } from '#src/domain/points/decimal.js'
import type { EpochDay } from '../calendar.js'
import type { Chance } from '../chance.js'
import { pointing } from '../documents.js'
import type { Character, Place, WorldCast } from '../people/cast.js'
import type { Figures } from '../points.js'
import type { Sizes } from '../sizes.js'
import {
  characterBlock,
  groupBlock,
  type Lore,
  mapBlock,
  npcBlock,
  placeBlock,
  regionBlock,
  stackBlock,
  thingBlock,
} from './entity-blocks.js'
import { blockText, type EntityBlock, type Row } from './entity-rows.js'
import type { Stack } from './stacks.js'

/** The most blocks of one index file (D31). */
const mostBlocks = 250

export const indexPath = (at: number): string =>
  at === 0 ? 'encje/indeks.md' : `encje/indeks-${String(at + 1).padStart(2, '0')}.md`

/** Neighbours with the same parent are joined by doors, in both directions. */
const doorsOf = (places: ReadonlyArray<Place>): ReadonlyMap<Place, ReadonlyArray<Place>> => {
  const doors = new Map<Place, Array<Place>>()
  const open = (from: Place, to: Place): void => {
    doors.set(from, [...(doors.get(from) ?? []), to])
  }
  places.forEach((place, at) => {
    const next = places[at + 1]
    if (next === undefined || place.parent === null || next.parent !== place.parent || at % 3 === 2) return
    open(place, next)
    open(next, place)
  })
  return doors
}

/** The blocks of groups as if all their rows were in the index. */
export const groupBlocks = (cast: WorldCast, chance: Chance): ReadonlyArray<EntityBlock> =>
  cast.groups.map(group => groupBlock({ cast, moved: new Map(), chance }, group))

/** Every block of the index except those of characters, in the order of their creation. */
export const loreBlocks = (
  sizes: Sizes,
  cast: WorldCast,
  stacks: ReadonlyArray<Stack>,
  groups: ReadonlyArray<EntityBlock>,
  moved: ReadonlyMap<string, EpochDay>,
  chance: Chance,
): ReadonlyArray<EntityBlock> => {
  const lore: Lore = { cast, moved, chance }
  const doors = doorsOf(cast.places)
  const mapped = cast.places.filter(place => place.depth > 1)
  return [
    ...cast.regions.map((region, at) =>
      regionBlock(lore, region, at === 0 ? null : (cast.regions[Math.floor(at / 3)] ?? null)),
    ),
    ...cast.places.map(place => placeBlock(lore, place, doors.get(place) ?? [])),
    ...mapped.slice(0, sizes.maps).map((place, at) => mapBlock(lore, place, at)),
    ...cast.groups.flatMap((group, at) => {
      const block = groups[at]
      return block === undefined ? [] : [pointing(block, group, at)]
    }),
    ...cast.npcs.map(person => npcBlock(lore, person)),
    ...cast.things.map(thing => thingBlock(lore, thing)),
    ...stacks.map(stackBlock),
  ]
}

export interface IndexFile {
  readonly path: string
  readonly blocks: ReadonlyArray<string>
}

/** Blocks in files of 250, beginning with file number `first`. */
export const inFiles = (blocks: ReadonlyArray<string>, first: number): ReadonlyArray<IndexFile> =>
  Array.from({ length: Math.ceil(blocks.length / mostBlocks) }, (_, at) => ({
    path: indexPath(first + at),
    blocks: blocks.slice(at * mostBlocks, (at + 1) * mostBlocks),
  }))

export const fileText = (blocks: ReadonlyArray<string>): string => blocks.join('\n')

/** The blocks of characters without PU. */
export const characterBlocks = (
  cast: WorldCast,
  moved: ReadonlyMap<string, EpochDay>,
  chance: Chance,
): ReadonlyArray<EntityBlock> =>
  cast.characters.map((character: Character) => characterBlock({ cast, moved, chance }, character))

const pointRows = (figures: Figures | undefined, fresh: boolean): ReadonlyArray<Row> => {
  if (figures === undefined) return []
  if (fresh) return [['pu_startowe', fixed2(figures.startowe)]]
  return [
    ['pu_startowe', fixed2(figures.startowe)],
    ['pu_suma', fixed2(figures.suma)],
    ['pu_zdobyte', fixed2(figures.zdobyte)],
    ['pu_nadmiar', fixed2(figures.nadmiar)],
  ]
}

/**
 * The index files of characters after a settlement; a character that never earned has only `@pu_startowe`.
 */
export const characterFiles = (
  blocks: ReadonlyArray<EntityBlock>,
  figures: ReadonlyMap<string, Figures>,
  first: number,
): ReadonlyArray<IndexFile> =>
  inFiles(
    blocks.map(block => {
      const own = figures.get(block.heading)
      const fresh = own === undefined || own.zdobyte.units === 0n
      return blockText({ ...block, rows: [...block.rows, ...pointRows(own, fresh)] })
    }),
    first,
  )
