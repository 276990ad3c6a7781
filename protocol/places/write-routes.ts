import * as t from 'io-ts'
import { namingBody } from '#protocol/bounds.js'
import { type Table, write } from '#protocol/route.js'
import { Created, CreatePreview, TagPatch, TagValues, UpdateAnswer } from '../entities/write.js'

const LocationCreate = t.intersection(
  [t.type({ name: t.string }), t.partial({ tags: TagValues })],
  'LocationCreate',
)

/** Fields of a Mapa beside `tags` (A 4.8). */
const metadata = {
  gameid: t.union([t.string, t.number]),
  url: t.string,
  wymiary: t.string,
  koordynaty: t.string,
  slug: t.string,
  lokacja: t.string,
} as const

export const MapCreate = t.intersection(
  [t.type({ name: t.string }), t.partial({ tags: TagValues, ...metadata })],
  'MapCreate',
)
export type MapCreate = t.TypeOf<typeof MapCreate>

export const mapMetadata = ['gameid', 'url', 'wymiary', 'koordynaty', 'slug', 'lokacja'] as const

const ofPlaces = {
  capability: 'entity.write',
  own: false,
  query: {},
  source: 'A 4.8, docs/spec/places.md#writing',
} as const

const creation = {
  method: 'POST',
  answers: { 200: CreatePreview, 201: Created },
  refusals: ['TagUnknown', 'ValueRefused', 'NameTaken'],
} as const

const update = { method: 'PATCH', body: TagPatch, answers: { 200: UpdateAnswer } } as const

/** Writes of places and maps (A 4.8). */
export const placesWriteRoutes = {
  'locations.create': write({
    ...ofPlaces,
    ...creation,
    path: '/locations',
    summary: 'Makes a Lokacja.',
    body: LocationCreate,
    bounds: namingBody,
    example: { body: { name: 'Młyn', tags: { lokacja: 'Zamorze' } } },
  }),
  'locations.update': write({
    ...ofPlaces,
    ...update,
    path: '/locations/{name}',
    summary: 'Gives one tag of a Lokacja a value, or ends one.',
    refusals: ['BodyInvalid', 'LocationNotFound', 'AmbiguousName', 'TagUnknown', 'ValueRefused', 'NameTaken'],
    example: { path: { name: 'Port Zamorze' }, body: { tag: 'region', value: 'Pogranicze' } },
  }),
  'maps.create': write({
    ...ofPlaces,
    ...creation,
    path: '/maps',
    summary: 'Makes a Mapa, active from this month.',
    body: MapCreate,
    bounds: namingBody,
    example: { body: { name: 'Zamorze', gameid: '615', wymiary: '96x64' } },
  }),
  'maps.update': write({
    ...ofPlaces,
    ...update,
    path: '/maps/{name}',
    summary: 'Gives one tag of a Mapa a value, or ends one.',
    refusals: ['BodyInvalid', 'MapNotFound', 'AmbiguousName', 'TagUnknown', 'ValueRefused', 'NameTaken'],
    example: { path: { name: 'Plan portu' }, body: { tag: '@gameid', value: '616' } },
  }),
} as const satisfies Table
