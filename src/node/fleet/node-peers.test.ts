import { deepEqual, equal, ok } from 'node:assert/strict'
import { createServer, type RequestListener, type Server } from 'node:http'
import { after, before, describe, it } from 'mocha'
import type { Town } from '#src/domain/fleet/topology.js'
import { eventually } from '#test/support/daemon.js'
import { nodeFiles, startNode, type TestNode } from '#test/support/node.js'

const cardOf = (town: string, change: object = {}): string =>
  JSON.stringify({
    town,
    role: 'replica',
    nowUtc: new Date().toISOString(),
    bootUtc: '2026-01-01T00:00:00.000Z',
    bootId: 'b1',
    uptimeSeconds: 1,
    imageDigest: '',
    schemaVersion: 2,
    syncAgeMinutes: 2,
    version: '0.5.0',
    ...change,
  })

const listeners: Readonly<Record<string, RequestListener>> = {
  Avlee: (_, res) => void res.end(cardOf('Avlee')),
  Bracada: (_, res) => void res.end('x'.repeat(200_000)),
  Deyja: (_, res) => void res.end(cardOf('Avlee')),
  Erathia: (_, res) => void res.end(cardOf('Erathia').replace('"uptimeSeconds":1', '"uptimeSeconds":NaN')),
  Nighon: (_, res) => {
    // In two statements: the front's listener patches `writeHead`, which then returns nothing.
    res.writeHead(302, { location: '/v1/api/health' })
    res.end()
  },
}

describe('the peers of a node', () => {
  let node: TestNode
  let servers: ReadonlyArray<Server> = []
  let towns: ReadonlyMap<string, Town>
  const townOf = async (name: string, listener: RequestListener): Promise<[string, Town]> => {
    const server = createServer(listener)
    servers = [...servers, server]
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    return [name, { name, url: `http://127.0.0.1:${port}/v1/api`, isEligible: true, isSteppingDown: false }]
  }
  const watched = () => node.host.peers.table.records()

  before(async () => {
    const config = '{"server": {"selfheal_interval_ms": 100}, "fleet": {"watch_interval_min": 0.01}}\n'
    node = await startNode({ files: { ...nodeFiles, '.svc/config.json': config } })
    towns = new Map(await Promise.all(Object.entries(listeners).map(([name, one]) => townOf(name, one))))
    // The node has no topology, and watches no town once it has looked.
    await node.host.fleet.readTip()
    node.host.peers.watchTowns(towns)
  })
  after(async () => {
    for (const server of servers) {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    }
    await node.stop()
  })

  it('records each town by its own answers: hostile ones change one record alone (SECURITY 4.5)', async () => {
    await eventually(
      () => Promise.resolve([...watched().values()]),
      all =>
        all.filter(one => (one.town === 'Avlee' ? one.isReachable : one.consecutiveMisses >= 2)).length === 5,
    )
    deepEqual([...watched().values()].map(one => [one.town, one.isReachable, one.failure]).sort(), [
      ['Avlee', true, null],
      ['Bracada', false, 'bad_card'],
      ['Deyja', false, 'bad_card'],
      ['Erathia', false, 'bad_card'],
      ['Nighon', false, 'bad_card'],
    ])
    equal(watched().get('Avlee')?.card?.syncAgeMinutes, 2)
  })

  it('counts the probes, and tells a change of a town once', async () => {
    await eventually(
      () => node.metric('svc_fleet_peer_reachable', { town: 'Avlee' }),
      reachable => reachable === 1,
    )
    equal(await node.metric('svc_fleet_peer_reachable', { town: 'Nighon' }), 0)
    // On a busy machine Avlee, which answers, may be late for a sweep of 0.6 s.
    const dark = node.records.filter(
      ({ event, fields }) => event === 'peer_unreachable' && fields.peer !== 'Avlee',
    )
    equal(dark.length, 4)
    ok(
      dark.every(({ fields }) => 'peer' in fields && !('town' in fields)),
      'town is the host that writes the log',
    )
    equal(await node.metric('svc_fleet_probes_total', { town: 'Nighon', result: 'ok' }), 0)
  })

  it('forgets a town that left, and watches one again whose address changed', async () => {
    const [, moved] = await townOf('Deyja', (_, res) => void res.end(cardOf('Deyja')))
    const kept = [...towns].filter(([name]) => name === 'Avlee')
    node.host.peers.watchTowns(new Map([...kept, ['Deyja', moved]]))
    deepEqual([...watched().keys()], ['Avlee'])
    await eventually(
      () => Promise.resolve(watched().get('Deyja')?.isReachable),
      isReachable => isReachable === true,
    )
    deepEqual([...watched().keys()], ['Avlee', 'Deyja'])
  })

  it('shows no series of a town that left while its probe was under way', async () => {
    let asked = 0
    let answer = (): void => undefined
    const [, slow] = await townOf('Tatalia', (_, res) => {
      asked += 1
      answer = () => void res.end(cardOf('Tatalia'))
    })
    const kept = towns.get('Avlee')
    const moved = [...watched().keys()].includes('Deyja')
    node.host.peers.watchTowns(
      new Map([...(kept === undefined ? [] : [['Avlee', kept] as const]), ['Tatalia', slow]]),
    )
    await eventually(
      () => Promise.resolve(asked),
      count => count > 0,
    )
    node.host.peers.watchTowns(new Map(kept === undefined ? [] : [['Avlee', kept]]))
    answer()
    await new Promise(resolve => setTimeout(resolve, 50))
    ok(!(await node.host.metrics.text()).includes('town="Tatalia"'))
    deepEqual([moved, [...watched().keys()]], [true, ['Avlee']])
  })

  it('shows no series of a town that left', async () => {
    const text = await node.host.metrics.text()
    const shown = [...text.matchAll(/^svc_fleet_\w+\{.*?town="(\w+)"/gmu)].map(([, town]) => town)
    deepEqual([...new Set(shown)].sort(), ['Avlee'])
  })
})
