import * as t from 'io-ts'
import type { Descriptions } from '../description.js'
import { previewOf } from '../dry-run.js'
import { gateAnswerWithinMs } from '../host/admin.js'
import { actsOnHost, pipelineRefusals, route, type Table } from '../route.js'

/** Most names of one call (A 8). */
export const mapNamesMax = 50

/**
 * Why a map has no size, as `failed[].reason` says it (A 2.5). The first line is known from the lore alone; of the
 * second the host of the picture, or this host, is the cause; the third is about the picture.
 */
export type DimensionFault =
  | ('NotAMapa' | 'AmbiguousName' | 'NotActive' | 'NotWritable' | 'NoUrl' | 'Changed' | 'NotReached')
  | ('HostNotAllowed' | 'AddressNotAllowed' | 'TooManyRedirects' | 'Unreachable' | 'Timeout' | 'BadAnswer')
  | ('NotAnImage' | `Status:${number}` | `NotTileMultiple:${number}x${number}`)

const Count = new t.Type<number, number, unknown>(
  'WholeNumber',
  (u): u is number => typeof u === 'number' && Number.isSafeInteger(u) && u >= 0,
  (u, c) => (typeof u === 'number' && Number.isSafeInteger(u) && u >= 0 ? t.success(u) : t.failure(u, c)),
  t.identity,
)

/** Which maps are measured: those named, or a slice of the catalogue. */
export const DimensionRun = t.partial(
  { names: t.readonlyArray(t.string), maxMaps: Count, cursor: Count, maxMillis: Count },
  'DimensionRun',
)
export type DimensionRun = t.TypeOf<typeof DimensionRun>

export const MapFailure = t.type({ name: t.string, reason: t.string }, 'MapFailure')
export type MapFailure = t.TypeOf<typeof MapFailure>

const MeasuredMap = t.type({ name: t.string, wymiary: t.string, changed: t.boolean }, 'MeasuredMap')

const run = {
  measured: t.readonlyArray(MeasuredMap),
  failed: t.readonlyArray(MapFailure),
  cursor: t.number,
  budgetExhausted: t.boolean,
} as const

export const Dimensions = t.type(run, 'Dimensions')
export type Dimensions = t.TypeOf<typeof Dimensions>

/** The sizes of maps (A 4.8). */
export const mapsRoutes = {
  'maps.dimensions.set': route({
    ...actsOnHost,
    // No write flag, although it commits: the handler asks the gate itself (D28).
    plans: true,
    method: 'POST',
    path: '/maps/dimensions',
    summary: 'Measures the pictures of active maps and writes their sizes in tiles, in one commit.',
    capability: 'location.override',
    query: {},
    answerWithinMs: gateAnswerWithinMs,
    body: DimensionRun,
    answers: { 200: t.union([Dimensions, previewOf(run, 'DimensionsPreview')], 'DimensionAnswer') },
    refusals: [
      'BodyInvalid',
      ...pipelineRefusals.write,
      'MapDimensionsSelectionConflict',
      'MapDimensionsTooManyNames',
      'Overloaded',
    ],
    source: 'A 4.8, A 2.5, D28, docs/spec/places.md#dimensions',
    example: { body: { names: ['Plan portu'], maxMillis: 20000 } },
  }),
} as const satisfies Table

const ran = {
  measured: 'Maps whose size was read.',
  failed: 'Maps that have no size after this run, each with the reason.',
  cursor: 'Where the next call goes on; 0 when the catalogue is done, and for named maps.',
  budgetExhausted: 'Whether too many pictures in a row could not be fetched, which ends the run.',
} as const

export const mapDescriptions: Descriptions = {
  DimensionRun: {
    names: 'Headings or aliases of maps, at most 50; each is measured, also where its size is known.',
    maxMaps: 'Number of maps of the catalogue to go through, without those whose size is known.',
    cursor: 'Place in the catalogue to begin at: that of the answer before, 0 without one.',
    maxMillis: 'Time in milliseconds after which no map is begun; 0 is without such a limit.',
  },
  Dimensions: ran,
  DimensionsPreview: ran,
  MeasuredMap: {
    name: 'Heading of the map.',
    wymiary: 'Width and height in tiles of 32 pixels, as `96x64`.',
    changed: 'Whether the block had another size or none.',
  },
  MapFailure: { name: 'The map, as named.', reason: 'Why, as `docs/spec/places.md` lists it.' },
}
