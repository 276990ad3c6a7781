import { deepEqual, equal } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { ClaimLint, Location, LocationGraph, TraversalGraph } from '#protocol/lore/places.js'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { worldOf } from '#test/support/world.js'

const place = (heading: string, ...rows: ReadonlyArray<string>): string =>
  `### ${heading}\n- @typ: Lokacja\n${rows.map(row => `- ${row}\n`).join('')}\n`

const snapshot = worldOf({
  '.svc/format.json': '{"format": 2}',
  'encje/indeks.md':
    place('Erathia', '@outerior: tak', '@region: Enroth') +
    place('Karczma (Erathia)', '@lokacja: Erathia') +
    place('Karczma (Steadwick)', '@lokacja: Steadwick') +
    place('Steadwick', '@drzwi: Erathia') +
    place('Wieża', '@alias: Pogranicze', '@ref: nie/ma.md') +
    '### Pogranicze\n- @typ: Region\n',
  'sesje.md':
    '### 2024-05-01, Wyprawa, Crag\n\n- @Lokacje:\n    - Erathia\n    - Steadwick\n    - Wieża\n- @PU:\n    - Sandro: 0.3\n',
})

const Page = t.type({
  count: t.number,
  items: t.readonlyArray(t.type({ Name: t.string })),
  total: t.union([t.number, t.undefined]),
})

const Refused = t.intersection([t.type({ error: t.string }), t.partial({ parameter: t.string })])

const decodeJson = <A>(codec: t.Type<A, unknown>, json: unknown): A => {
  const value = codec.decode(json)
  if (isLeft(value)) throw new Error(`not a ${codec.name}: ${JSON.stringify(json)}`)
  return value.right
}

describe('routes of places', () => {
  let front: TestFront
  before(async () => {
    front = await testFront({ snapshot, callers: { none: callerWith(['pu.read']) } })
  })
  after(() => front.close())

  const read = async <A>(codec: t.Type<A, unknown>, path: string): Promise<A> => {
    const reply = await front.client.ask(path)
    equal(reply.status, 200, reply.text)
    return decodeJson(codec, reply.json)
  }
  const names = async (query: string) => {
    const { items } = await read(Page, `/locations${query}`)
    return items.map(item => item.Name)
  }

  it('lists the places, filtered and windowed', async () => {
    equal((await names('')).length, 5)
    deepEqual(await names('?parent=Erathia'), ['Karczma (Erathia)'])
    deepEqual(await names('?region=enroth'), ['Erathia'])
    deepEqual(await names('?outerior=tak'), ['Erathia'])
    deepEqual(await names('?outerior=false'), [])
    deepEqual(await names('?parent=Nigdzie'), [])
    deepEqual(await names('?nieznany=1&limit=1&offset=3'), ['Steadwick'])
    equal((await read(Page, '/locations?limit=2')).total, 5)
    equal((await read(Page, '/locations')).total, undefined)
  })

  it('refuses a word that is neither yes nor no', async () => {
    const reply = await front.client.ask('/locations?outerior=chyba')
    equal(reply.status, 400)
    equal(decodeJson(Refused, reply.json).parameter, 'outerior')
  })

  it('fetches a place by heading, spelling, slash path or the only leaf', async () => {
    equal((await read(Location, '/locations/erathia')).Name, 'Erathia')
    deepEqual((await read(Location, '/locations/Erathia')).Children, ['Karczma (Erathia)'])
    equal((await read(Location, '/locations/Karczma%20(Steadwick)')).Location, 'Steadwick')
    equal((await read(Location, '/locations/pogranicze')).Name, 'Wieża')
    equal((await read(Location, '/locations/Steadwick%2FKarczma')).Name, 'Karczma (Steadwick)')
  })

  it('does not know a leaf that several places share, nor a stranger', async () => {
    for (const name of ['Karczma', 'Nigdzie', 'graf']) {
      const reply = await front.client.ask(`/locations/${name}`)
      deepEqual([reply.status, decodeJson(Refused, reply.json).error], [404, 'LocationNotFound'])
    }
  })

  it('serves the graph of containment and doors', async () => {
    const graph = await read(LocationGraph, '/locations/graph')
    deepEqual([graph.NodeCount, graph.EdgeCount], [5, 3])
    deepEqual(graph.Edges[2], { Source: 'Steadwick', Target: 'Erathia', Type: 'Door' })
  })

  it('serves the moves of sessions', async () => {
    const { Edges } = await read(TraversalGraph, '/maps/traversal')
    deepEqual(Edges, [
      { Source: 'Erathia', Target: 'Steadwick', Type: 'Containment', Weight: 1, Origins: ['session'] },
      { Source: 'Steadwick', Target: 'Wieża', Type: 'Teleport', Weight: 1, Origins: ['session'] },
    ])
  })

  it('lints only when asked to', async () => {
    const plain = await read(ClaimLint, '/claims/lint')
    deepEqual([plain.findingCount, plain.convergeLint.at, plain.convergeLint.fresh], [0, null, false])
    const fresh = await read(ClaimLint, '/claims/lint?fresh=true')
    deepEqual(
      fresh.convergeLint.findings.map(finding => finding.kind),
      ['wiszący-ref'],
    )
    deepEqual([fresh.stats, fresh.convergeLint.at], [plain.stats, '2026-06-15T12:00:00.000Z'])
    equal((await front.client.ask('/claims/lint?fresh=tak')).status, 400)
  })

  it('asks for entity.read', async () => {
    for (const path of [
      '/locations',
      '/locations/graph',
      '/locations/Erathia',
      '/claims/lint',
      '/maps/traversal',
    ]) {
      equal((await front.client.ask(path, { token: null })).status, 401)
      equal((await front.client.ask(path, { token: 'none' })).status, 403)
    }
  })
})
