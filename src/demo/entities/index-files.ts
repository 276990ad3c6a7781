import { formatFixed2 } from '#src/domain/lore/figures.js'
import type { EpochDay } from '../calendar.js'
import type { Chance } from '../chance.js'
import type { Change } from '../commit.js'
import { slug } from '../names/names.js'
import type { CastEntry, DemoCharacter, DemoPlace, Stack, WorldCast } from '../people/cast.js'
import type { DemoFigures } from '../points.js'
import type { Sizes } from '../sizes.js'
import {
  type DemoLore,
  type DemoRow,
  demoBlockText,
  demoCharacterBlock,
  type EntityBlock,
  groupBlock,
  mapBlock,
  npcBlock,
  placeBlock,
  regionBlock,
  stackBlock,
  thingBlock,
} from './entities.js'

/** One in this many groups has its own document (`@plik`). */
const every = 10

const documentPath = (entry: CastEntry): string => `Dokumenty/${slug(entry.name)}.md`

/** The groups that have a document. The second group keeps its rows there, by `@ref` (FORMATS 1.4). */
const hasDocument = (at: number): boolean => at % every === 0

const keepsRowsElsewhere = (at: number): boolean => at === 1

const chronicle = (group: CastEntry, cast: WorldCast, at: number): string => {
  const place = cast.places[(at * 7) % cast.places.length]?.role.full.forms
  const person = cast.npcs[(at * 5) % cast.npcs.length]?.role.full.forms
  return [
    `# ${group.name}`,
    `Najstarszy wpis mówi o przyjęciu ${person?.gen ?? ''} i o pierwszej wspólnej wyprawie.`,
    `Statut przechowuje się niedaleko ${place?.gen ?? ''}; odpis ma każdy, kto złożył przysięgę.`,
  ].join('\n\n')
}

const rowsList = (block: EntityBlock): string =>
  block.rows
    .filter(([tag]) => tag !== 'typ' && tag !== 'status')
    .map(([tag, value]) => `- @${tag}: ${value}`)
    .join('\n')

/** The documents of groups; `blocks` are those of `cast.groups`, in order. */
export const documentFiles = (cast: WorldCast, blocks: ReadonlyArray<EntityBlock>): ReadonlyArray<Change> =>
  cast.groups.flatMap((group, at): ReadonlyArray<Change> => {
    const block = blocks[at]
    if (block !== undefined && keepsRowsElsewhere(at))
      return [{ path: documentPath(group), text: `${rowsList(block)}\n` }]
    return hasDocument(at) ? [{ path: documentPath(group), text: `${chronicle(group, cast, at)}\n` }] : []
  })

/** The block in the index when its rows or its document are in another file. */
const pointElsewhere = (block: EntityBlock, group: CastEntry, at: number): EntityBlock => {
  if (keepsRowsElsewhere(at))
    return {
      heading: block.heading,
      rows: [
        ...block.rows.filter(([tag]) => tag === 'typ' || tag === 'status'),
        ['ref', documentPath(group)],
      ],
    }
  return hasDocument(at) ? { ...block, rows: [...block.rows, ['plik', documentPath(group)]] } : block
}

/** The most blocks of one index file (D31). */
const mostBlocks = 250

const indexPath = (at: number): string =>
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
