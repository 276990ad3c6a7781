import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type DimensionFault, type Dimensions, MapFailure, type mapsRoutes } from '#protocol/lore/maps.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { type Entity, statusOn } from '#src/domain/entities/entity.js'
import { gradeOf } from '#src/domain/identity/grade.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import type { Splice } from '#src/domain/lore/file-edit.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { scalarOn } from '#src/domain/lore/rows/deciding-order.js'
import { rowSplices } from '#src/domain/lore/rows/row-splices.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { decodePrepared, type Planners } from './command.js'
import { entityClaim, fileEdit, targetNamed, targetOf, touchBlock } from './entities/entity-change.js'
import { tagChange } from './entities/tag-change.js'

/** The maps that a call chooses: those that it names, or a slice of the catalogue. */
export type MapSelection =
  | { readonly _tag: 'Named'; readonly names: ReadonlyArray<string> }
  | { readonly _tag: 'Slice'; readonly cursor: number; readonly mapsMax: number }

/** The place of a map in the catalogue; 0 for a named map. */
interface Placed {
  readonly at: number
}

/** The maps of a selection, in order. */
export interface ChosenMaps {
  readonly isSlice: boolean
  /** Maps whose picture is to be measured, by their headings. */
  readonly targets: ReadonlyArray<Placed & { readonly name: string; readonly url: string }>
  /** Maps that are not measured, as they were named. */
  readonly failed: ReadonlyArray<Placed & { readonly name: string; readonly reason: DimensionFault }>
  /** Where the catalogue goes on after these maps; 0 where it ends, and for named maps. */
  readonly cursor: number
}

/** What a run of measurements found, as the command of its write has it. */
export const MeasuredMaps = t.type(
  {
    isSlice: t.boolean,
    sizes: t.readonlyArray(t.type({ name: t.string, url: t.string, wymiary: t.string })),
    failed: t.readonlyArray(MapFailure),
    cursor: t.number,
    budgetExhausted: t.boolean,
  },
  'MeasuredMaps',
)
export type MeasuredMaps = t.TypeOf<typeof MeasuredMaps>

/**
 * The maps of a selection. A slice leaves out maps whose size is known. The catalogue has the active maps by name.
 */
export const chooseMaps = (snapshot: Snapshot, selection: MapSelection): ChosenMaps => {
  if (selection._tag === 'Named') {
    const { targets, failed } = sortTargets(
      [...new Set(selection.names)].map(name => judgeNamed(snapshot, name, 0)),
    )
    const first = new Map(targets.toReversed().map(target => [target.name, target]))
    const once = targets.filter(target => first.get(target.name) === target)
    return { isSlice: false, targets: once, failed, cursor: 0 }
  }
  const { cursor, mapsMax } = selection
  const catalogue = catalogueOf(snapshot)
  const end = cursor + mapsMax
  const open = catalogue
    .slice(cursor, end)
    .map((entity, place) => ({ entity, at: cursor + place }))
    .filter(({ entity }) => sizeOf(snapshot, entity) === null)
  const judged = open.map(({ entity, at }) =>
    mapNamed(snapshot, entity.name) === entity
      ? judgeNamed(snapshot, entity.name, at)
      : fail(entity.name, 'AmbiguousName', at),
  )
  return { isSlice: true, ...sortTargets(judged), cursor: end < catalogue.length ? end : 0 }
}

/** What the command of a write has of a run that came to the first `reached` of the chosen maps. */
export const measuredMaps = (
  { isSlice, targets, failed, cursor }: ChosenMaps,
  run: Omit<MeasuredMaps, 'isSlice' | 'cursor'> & { readonly reached: number },
): MeasuredMaps => {
  const rest = targets.slice(run.reached)
  const end = isSlice ? rest[0]?.at : undefined
  const before = failed.filter(({ at }) => end === undefined || at < end)
  const unreached = isSlice ? [] : rest.map(({ name }) => ({ name, reason: 'NotReached' }))
  return {
    isSlice,
    sizes: run.sizes,
    failed: [...before.map(({ name, reason }) => ({ name, reason })), ...run.failed, ...unreached],
    cursor: end ?? cursor,
    budgetExhausted: run.budgetExhausted,
  }
}

/** The capability that a slice of the catalogue needs beside that of the row (A 4.8). */
export const refuseSlice = ({ holds }: Pick<Caller, 'holds'>): RefusalOf<'Forbidden'> | null => {
  const required = 'workflow.map_checkup'
  return gradeOf(holds, required) === 'full'
    ? null
    : refuse(
        'Forbidden',
        `A slice of the catalogue needs the capability ${required}. Name the maps instead.`,
        {
          required,
        },
      )
}

/** The size of a picture in tiles of 32 pixels, as `@wymiary` has it; or the fault of one that has half a tile. */
export const judgeSize = ({ width, height }: PixelSize): TileSize =>
  width % tilePixels === 0 && height % tilePixels === 0
    ? { _tag: 'Tiles', wymiary: `${width / tilePixels}x${height / tilePixels}` }
    : { _tag: 'Fault', reason: `NotTileMultiple:${width}x${height}` }

/**
 * Whether a fault is one of the transport: the next picture of the same host may well have it too, so it spends the
 * failure budget of a run (A 4.8).
 */
export const isTransportFault = (fault: DimensionFault): boolean =>
  transportFaults.has(fault) || fault === 'Status:429' || fault.startsWith('Status:5')

/** Planner of the sizes of maps (A 4.8). */
export const mapPlanners: Planners<typeof mapsRoutes> = {
  'maps.dimensions.set': (snapshot, { prepared, caller }) => {
    const measured = decodePrepared(MeasuredMaps, prepared)
    const refusal = measured.isSlice ? refuseSlice(caller) : null
    return refusal === null ? right(writeSizes(snapshot, measured)) : left(refusal)
  },
}

type Judged = Either<ChosenMaps['failed'][number], ChosenMaps['targets'][number]>

const fail = (name: string, reason: DimensionFault, at: number): Judged => left({ name, reason, at })

const sortTargets = (judged: ReadonlyArray<Judged>): Pick<ChosenMaps, 'targets' | 'failed'> => ({
  targets: judged.flatMap(one => (isLeft(one) ? [] : [one.right])),
  failed: judged.flatMap(one => (isLeft(one) ? [one.left] : [])),
})

const byName = (one: Entity, other: Entity): number =>
  one.key < other.key ? -1 : one.key > other.key ? 1 : 0

/** The active maps, by name; maps of one name in the order of the index. */
const catalogueOf = perValue(({ entities, day }: Snapshot) =>
  (entities.byType.get('Mapa') ?? []).filter(map => statusOn(map, day) === 'Aktywny').toSorted(byName),
)

const sizeOf = ({ day }: Snapshot, { rows }: Entity): string | null => scalarOn(rows, 'wymiary', day)

/** The map with the name, or why there is not one. */
const mapNamed = ({ entities }: Snapshot, name: string): Entity | 'AmbiguousName' | 'NotAMapa' => {
  const named = targetNamed(entities, name, 'Mapa')
  if (!isLeft(named)) return named.right
  return named.left._tag === 'AmbiguousName' ? 'AmbiguousName' : 'NotAMapa'
}

const judgeNamed = (snapshot: Snapshot, name: string, at: number): Judged => {
  const map = mapNamed(snapshot, name)
  if (typeof map === 'string') return fail(name, map, at)
  if (statusOn(map, snapshot.day) !== 'Aktywny') return fail(name, 'NotActive', at)
  const url = scalarOn(map.rows, 'url', snapshot.day)
  if (url === null) return fail(name, 'NoUrl', at)
  return planSize(snapshot, map, '1x1') === null
    ? fail(name, 'NotWritable', at)
    : right({ name: map.name, url, at })
}

/** The lines that give a map a size; null where its block cannot be written. */
interface SizeChange {
  readonly file: SourceFile
  readonly splices: ReadonlyArray<Splice>
}

const planSize = (snapshot: Snapshot, entity: Entity, wymiary: string): SizeChange | null => {
  const target = targetOf(snapshot.files, entity, 'wymiary')
  if (isLeft(target)) return null
  const change = tagChange(snapshot, target.right, { tag: 'wymiary', value: wymiary })
  if (isLeft(change)) return null
  const { file, block, lines } = target.right
  return { file, splices: rowSplices(block, lines, change.right.changes) }
}

interface WrittenSize extends SizeChange {
  readonly entity: Entity
  readonly wymiary: string
}

/** Finds a measured map again: it may have changed while its picture was read. */
const findAgain = (
  snapshot: Snapshot,
  { name, url, wymiary }: MeasuredMaps['sizes'][number],
): Either<MapFailure, WrittenSize> => {
  const judged = judgeNamed(snapshot, name, 0)
  if (isLeft(judged)) return left({ name, reason: judged.left.reason })
  const map = mapNamed(snapshot, name)
  const change = judged.right.url !== url || typeof map === 'string' ? null : planSize(snapshot, map, wymiary)
  return change === null || typeof map === 'string'
    ? left({ name, reason: 'Changed' })
    : right({ ...change, entity: map, wymiary })
}

const writeSizes = (snapshot: Snapshot, measured: MeasuredMaps): ChangeSet<Dimensions> => {
  const found = measured.sizes.map(one => findAgain(snapshot, one))
  const sizes = found.flatMap(one => (isLeft(one) ? [] : [one.right]))
  const changed = sizes.filter(({ splices }) => splices.length > 0)
  const files = [...new Set(changed.map(({ file }) => file))]
  const { cursor, budgetExhausted } = measured
  const answer: Dimensions = {
    measured: sizes.map(({ entity, wymiary, splices }) => ({
      name: entity.name,
      wymiary,
      changed: splices.length > 0,
    })),
    failed: [...measured.failed, ...found.flatMap(one => (isLeft(one) ? [one.left] : []))],
    cursor,
    budgetExhausted,
  }
  const [first] = changed
  return {
    edits: files.flatMap(file =>
      fileEdit(
        file,
        changed.flatMap(one => (one.file === file ? one.splices : [])),
      ),
    ),
    claims: sizes.map(({ entity }) => entityClaim(entity)),
    touches: changed.map(({ entity }) => touchBlock(entity)),
    subject:
      changed.length === 1 && first !== undefined
        ? `maps: size of ${first.entity.name}`
        : `maps: sizes of ${changed.length} maps`,
    answer,
    preview: answer,
  }
}

/** Pixels of a side of a tile (A 8). */
const tilePixels = 32

interface PixelSize {
  readonly width: number
  readonly height: number
}

type TileSize =
  | { readonly _tag: 'Tiles'; readonly wymiary: string }
  | { readonly _tag: 'Fault'; readonly reason: DimensionFault }

const transportFaults: ReadonlySet<DimensionFault> = new Set<DimensionFault>([
  'AddressNotAllowed',
  'TooManyRedirects',
  'Unreachable',
  'Timeout',
  'BadAnswer',
])
