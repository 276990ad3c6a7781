import { listOf } from '#protocol/list.js'
import { Flag, Text, windowQuery } from '#protocol/query.js'
import { read, route, type Table } from '#protocol/route.js'
import { Location, LocationGraph, LocationRow, TraversalGraph } from './answers.js'
import { ClaimLint } from './lint.js'
import { OuteriorText } from './outerior.js'

export const placesRoutes = {
  'locations.list': read({
    path: '/locations',
    summary: 'The places, filtered by parent, region or whether they lie outdoors.',
    capability: 'entity.read',
    query: { parent: Text, outerior: OuteriorText, region: Text, ...windowQuery },
    answers: { 200: listOf(LocationRow, 'Locations') },
    refusals: [],
    source: 'A 4.8',
    example: { query: { parent: 'Zamorze', outerior: 'nie', region: 'Pogranicze', limit: '5', offset: '0' } },
  }),
  'locations.graph.get': read({
    path: '/locations/graph',
    summary: 'The places as a graph of containment and doors.',
    capability: 'entity.read',
    query: {},
    answers: { 200: LocationGraph },
    refusals: [],
    source: 'A 4.8',
    example: {},
  }),
  'locations.get': read({
    path: '/locations/{name}',
    summary: 'One place with the places directly in it.',
    capability: 'entity.read',
    query: {},
    answers: { 200: Location },
    refusals: ['LocationNotFound'],
    source: 'A 4.8',
    example: { path: { name: 'Port Zamorze' } },
  }),
  // No replica: a fresh run contains its time and a recording belongs to the host (docs/spec/places.md#lint).
  'claims.lint.get': route({
    method: 'GET',
    path: '/claims/lint',
    summary: 'The lint of the index: the recording of the last converge, or with `fresh` a run now.',
    capability: 'entity.read',
    own: false,
    write: false,
    replica: false,
    pool: true,
    poolReason: null,
    pooledWith: 'fresh',
    unbudgeted: true,
    etag: false,
    early: false,
    query: { fresh: Flag },
    body: null,
    answers: { 200: ClaimLint },
    refusals: [],
    source: 'A 4.8',
    example: { query: { fresh: 'true' } },
  }),
  'maps.traversal.get': read({
    path: '/maps/traversal',
    summary: 'The moves between places that sessions tell of.',
    capability: 'entity.read',
    query: {},
    answers: { 200: TraversalGraph },
    refusals: [],
    source: 'A 4.8',
    example: {},
  }),
} as const satisfies Table
