import { formatFixed2 } from '#src/domain/lore/figures.js'
import type { EpochDay } from '../calendar.js'
import type { Chance } from '../chance.js'
import { pointElsewhere } from '../documents.js'
import type { DemoCharacter, DemoPlace, WorldCast } from '../people/cast.js'
import type { DemoFigures } from '../points.js'
import type { Sizes } from '../sizes.js'
import {
  type DemoLore,
  demoCharacterBlock,
  groupBlock,
  mapBlock,
  npcBlock,
  placeBlock,
  regionBlock,
  stackBlock,
  thingBlock,
} from './entity-blocks.js'
import { type DemoRow, demoBlockText, type EntityBlock } from './entity-rows.js'
import type { Stack } from './stacks.js'

/** The most blocks of one index file (D31). */
const mostBlocks = 250

export const indexPath = (at: number): string =>
  at === 0 ? 'encje/indeks.md' : `encje/indeks-${String(at + 1).padStart(2, '0')}.md`

/** Neighbours with the same parent are joined by doors, in both directions. */
const doorsOf = (places: ReadonlyArray<DemoPlace>): ReadonlyMap<DemoPlace, ReadonlyArray<DemoPlace>> => {
  const doors = new Map<DemoPlace, Array<DemoPlace>>()
  const open = (from: DemoPlace, to: DemoPlace): void => {
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
  const lore: DemoLore = { cast, moved, chance }
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
      return block === undefined ? [] : [pointElsewhere(block, group, at)]
    }),
    ...cast.npcs.map(person => npcBlock(lore, person)),
    ...cast.things.map(thing => thingBlock(lore, thing)),
    ...stacks.map(stackBlock),
  ]
}

export interface DemoIndexFile {
  readonly path: string
  readonly blocks: ReadonlyArray<string>
}

/** Blocks in files of 250, beginning with file number `first`. */
export const inFiles = (blocks: ReadonlyArray<string>, first: number): ReadonlyArray<DemoIndexFile> =>
  Array.from({ length: Math.ceil(blocks.length / mostBlocks) }, (_, at) => ({
    path: indexPath(first + at),
    blocks: blocks.slice(at * mostBlocks, (at + 1) * mostBlocks),
  }))

/** The blocks of characters without PU. */
export const characterBlocks = (
  cast: WorldCast,
  moved: ReadonlyMap<string, EpochDay>,
  chance: Chance,
): ReadonlyArray<EntityBlock> =>
  cast.characters.map((character: DemoCharacter) => demoCharacterBlock({ cast, moved, chance }, character))

const pointRows = (figures: DemoFigures | undefined, fresh: boolean): ReadonlyArray<DemoRow> => {
  if (figures === undefined) return []
  if (fresh) return [['pu_startowe', formatFixed2(figures.startowe)]]
  return [
    ['pu_startowe', formatFixed2(figures.startowe)],
    ['pu_suma', formatFixed2(figures.suma)],
    ['pu_zdobyte', formatFixed2(figures.zdobyte)],
    ['pu_nadmiar', formatFixed2(figures.nadmiar)],
  ]
}

/**
 * The index files of characters after a settlement; a character that never earned has only `@pu_startowe`.
 */
export const characterFiles = (
  blocks: ReadonlyArray<EntityBlock>,
  figures: ReadonlyMap<string, DemoFigures>,
  first: number,
): ReadonlyArray<DemoIndexFile> =>
  inFiles(
    blocks.map(block => {
      const own = figures.get(block.heading)
      const fresh = own === undefined || own.zdobyte.units === 0n
      return demoBlockText({ ...block, rows: [...block.rows, ...pointRows(own, fresh)] })
    }),
    first,
  )
