import { deepEqual, equal } from 'node:assert/strict'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { after, before, describe, it } from 'mocha'
import { FleetPeers, type PeerReport } from '#protocol/fleet/peers.js'
import { takeoverReasonCharsMax } from '#src/domain/fleet/takeover-refusals.js'
import { type BuiltHost, startBuilt } from '#test/support/built-host.js'
import { eventually } from '#test/support/daemon.js'
import { fleetText } from '#test/support/fleet/topologies.js'
import { jsonField } from '#test/support/json-field.js'

type Answer = (response: ServerResponse, request: IncomingMessage) => void

const cardOf = (town: string, change: object = {}): string =>
  JSON.stringify({
    town,
    role: 'replica',
    nowUtc: new Date().toISOString(),
    bootUtc: '2026-06-15T09:00:00.000Z',
    bootId: 'b1',
    uptimeSeconds: 3_600,
    imageDigest: '',
    schemaVersion: 2,
    syncAgeMinutes: 3,
    version: '0.5.0',
    ...change,
  })

/** The keys of a card, and no other (S10). */
const cardKeys = [
  ...['bootId', 'bootUtc', 'imageDigest', 'nowUtc', 'role', 'schemaVersion', 'syncAgeMinutes', 'town'],
  ...['uptimeSeconds', 'version'],
]

const replyWith =
  (text: string, headers: Readonly<Record<string, string>> = {}): Answer =>
  response => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    response.end(text)
  }

/** Writes for ever, as fast as the other side reads. */
const pour: Answer = response => {
  const part = Buffer.alloc(65_536, 'a')
  const write = (): void => {
    while (!response.destroyed && response.write(part));
  }
  response.on('drain', write)
  write()
}

const drip: Answer = response => {
  const timer = setInterval(() => response.write(' '), 50)
  response.on('close', () => clearInterval(timer))
}

/** The town that answers well all the time. */
const honest = 'Avlee'
const own = 'Deyja'

/** A town for each hostile answer, and how its record shows the failure; null where the answer counts. */
const hostile: Readonly<Record<string, readonly [answer: Answer, failure: PeerReport['failure']]>> = {
  'giant card': [pour, 'bad_card'],
  drip: [drip, 'timeout'],
  NaN: [replyWith(cardOf('NaN').replace('3600', 'NaN')), 'bad_card'],
  infinity: [replyWith(cardOf('infinity').replace('3600', '1e999')), 'bad_card'],
  'wrong town': [replyWith(cardOf(honest)), 'bad_card'],
  'redirect to loopback': [
    (response, { headers }) => {
      response.statusCode = 302
      response.setHeader('location', `http://${headers.host ?? ''}/lured`)
      response.end()
    },
    'bad_card',
  ],
  'missing keys': [replyWith('{"town": "missing keys"}'), 'bad_card'],
  'long string': [replyWith(cardOf('long string', { version: 'v'.repeat(1_000_000) })), 'bad_card'],
  'nested card': [replyWith('['.repeat(60_000)), 'bad_card'],
  'gzip bomb': [replyWith('\u001f\u008b', { 'content-encoding': 'gzip' }), 'bad_card'],
  'cut off': [response => void response.destroy(), 'unreachable'],
  'switched protocols': [
    ({ socket }) =>
      void socket?.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    'bad_card',
  ],
  'proto key': [replyWith(`{"__proto__": {"polluted": true}, ${cardOf('proto key').slice(1)}`), 'bad_card'],
  'extra keys': [response => response.end(cardOf('extra keys', { peers: ['x'], reachable: false })), null],
}

const forgeToken = 'glpat-of-the-fleet-rows'

const towns = [honest, own, ...Object.keys(hostile)]

/** A host whose fleet has a town for each hostile answer. */
describe('SECURITY 4.5 rows of the fleet', () => {
  let server: Server
  let host: BuiltHost
  let isHostile = false
  let lured = 0

  const answer: (request: IncomingMessage, response: ServerResponse) => void = (request, response) => {
    const [, name = ''] = decodeURIComponent(request.url ?? '').split('/')
    if (name === 'lured') lured += 1
    const [misbehave] = hostile[name] ?? [null]
    if (isHostile && misbehave !== null) misbehave(response, request)
    else response.end(cardOf(name))
  }

  const readPeers = async (): Promise<ReadonlyMap<string, PeerReport>> => {
    const { json, text } = await host.client.ask('/fleet/peers')
    if (!FleetPeers.is(json)) throw new Error(text)
    return new Map(json.items.map(item => [item.town, item]))
  }

  before(async () => {
    server = createServer(answer)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    if (typeof address !== 'object' || address === null) throw new Error('no port')
    const urls = Object.fromEntries(
      towns.map(name => [
        name,
        { url: `http://127.0.0.1:${address.port}/${encodeURIComponent(name)}/v1/api` },
      ]),
    )
    const config = {
      fleet: { watch_interval_min: 0.01, auto_failover: { after_sweeps: 3, cooldown_hours: 0 } },
      integrations: { forge: { api_url: 'http://127.0.0.1:1/api/v4', project: 'lore/kronika' } },
    }
    host = await startBuilt({
      town: own,
      env: { SVC_FORGE_TOKEN: forgeToken },
      files: {
        '.svc/format.json': '{"format": 2}\n',
        '.svc/config.json': JSON.stringify(config),
        '.svc/fleet.json': fleetText(honest, 1, towns, urls),
      },
    })
    await eventually(
      readPeers,
      peers => peers.size === towns.length - 1 && [...peers.values()].every(({ reachable }) => reachable),
    )
    isHostile = true
    const isSeen = (
      [name, [, failure]]: (typeof rows)[number],
      peers: ReadonlyMap<string, PeerReport>,
    ): boolean => failure === null || (peers.get(name)?.consecutiveMisses ?? 0) >= 3
    await eventually(readPeers, peers => rows.every(row => isSeen(row, peers)))
  })
  after(async () => {
    await host.stop()
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })

  const rows = Object.entries(hostile)
  for (const [name, [, failure]] of rows)
    it(`4.5 card | ${name} | ${failure ?? 'sanitised'}, in the record of that town alone`, async () => {
      const peers = await readPeers()
      const record = peers.get(name)
      deepEqual([record?.reachable, record?.failure, record?.version], [failure === null, failure, '0.5.0'])
      const { reachable, consecutiveMisses, town } = peers.get(honest) ?? {}
      deepEqual([reachable, consecutiveMisses, town], [true, 0, honest])
    })

  it('4.5 card | redirect to loopback | no request follows it', () => equal(lured, 0))

  it('4.5 card | extra keys | none of them is in the record', async () => {
    const peers = await readPeers()
    deepEqual(Object.keys(peers.get('extra keys') ?? {}).sort(), Object.keys(peers.get(honest) ?? {}).sort())
  })

  it('S10: GET /fleet/status | anybody | the ten keys, and nothing of the forge, the peers or a path', async () => {
    const { status, json, text } = await host.client.ask('/fleet/status', { token: null })
    deepEqual([status, Object.keys(json ?? {}).sort()], [200, cardKeys])
    for (const secret of [forgeToken, '127.0.0.1', 'lore/kronika', honest, host.repository.path])
      equal(text.includes(secret), false, secret)
  })

  it('POST /fleet/takeover | nobody, or a named token without the capability | 401, 403', async () => {
    const body = JSON.stringify({ reason: 'dark' })
    const send = (path: string, value: object) =>
      host.client.ask(path, { method: 'POST', body: JSON.stringify(value) })
    await send('/admin/mode', { mode: 'read-write' })
    const minted = await send('/tokens', { name: 'peer', capabilities: ['fleet.read', 'fleet.announce'] })
    const named = String(jsonField(minted.json, 'token'))
    const statusOf = async (token: string | null): Promise<number> =>
      (await host.client.ask('/fleet/takeover', { method: 'POST', body, token })).status
    deepEqual([await statusOf(null), await statusOf(named)], [401, 403])
  })

  const post = async (path: string, body: unknown) => {
    const { status, json } = await host.client.ask(path, { method: 'POST', body: JSON.stringify(body) })
    return [status, jsonField(json, 'error')]
  }

  const badTakeovers: ReadonlyArray<
    readonly [what: string, body: unknown, wanted: readonly [number, string]]
  > = [
    ['no reason', {}, [400, 'bad_request']],
    ['an empty reason', { reason: '' }, [400, 'bad_request']],
    ['a reason of blanks', { reason: ' \u00a0 ' }, [400, 'bad_request']],
    ['a reason that is too long', { reason: 'a'.repeat(takeoverReasonCharsMax + 1) }, [400, 'bad_request']],
    ['a line break in the reason', { reason: 'dark\nforce: yes' }, [400, 'bad_request']],
    ['an escape in the reason', { reason: 'dark\u001b[2J' }, [400, 'bad_request']],
    ['a NUL in the reason', { reason: 'dark\u0000' }, [400, 'BodyInvalid']],
    ['a reason that is a number', { reason: 7 }, [400, 'BodyInvalid']],
    ['a force that is a text', { reason: 'dark', force: 'yes' }, [400, 'BodyInvalid']],
    ['an unknown key', { reason: 'dark', apex: own }, [400, 'BodyInvalid']],
    ['an unknown target', { reason: 'dark', target: 'Krewlod' }, [422, 'target_ineligible']],
    ['a target named __proto__', { reason: 'dark', target: '__proto__' }, [422, 'target_ineligible']],
    [
      'a forced takeover by an unknown target',
      { reason: 'dark', target: 'Krewlod', force: true },
      [422, 'target_ineligible'],
    ],
    ['the apex as its own target', { reason: 'dark', target: honest }, [422, 'target_ineligible']],
  ]
  for (const [what, body, wanted] of badTakeovers)
    it(`POST /fleet/takeover | ${what} | ${wanted.join(' ')}`, async () => {
      deepEqual(await post('/fleet/takeover', body), wanted)
    })

  const badAnnouncements: ReadonlyArray<readonly [what: string, body: unknown]> = [
    ['no event', { newPrimary: own }],
    ['another event', { event: 'role-flop', newPrimary: own }],
    ['no newPrimary', { event: 'role-flip' }],
    ['a newPrimary that is too long', { event: 'role-flip', newPrimary: 'a'.repeat(257) }],
    ['mrIid 0', { event: 'role-flip', newPrimary: own, mrIid: 0 }],
    ['mrIid 1e300', { event: 'role-flip', newPrimary: own, mrIid: 1e300 }],
    ['mrIid 1.5', { event: 'role-flip', newPrimary: own, mrIid: 1.5 }],
    ['an epochUtc that is no time', { event: 'role-flip', newPrimary: own, epochUtc: 'yesterday' }],
  ]
  for (const [what, body] of badAnnouncements)
    it(`POST /fleet/announce | ${what} | 400`, async () => {
      deepEqual(await post('/fleet/announce', body), [400, 'BodyInvalid'])
    })

  it('S11: POST /fleet/announce | a true and a bogus one | the same bytes', async () => {
    const bytesOf = async (newPrimary: string): Promise<string> => {
      const body = JSON.stringify({ event: 'role-flip', newPrimary })
      return (await host.client.ask('/fleet/announce', { method: 'POST', body })).text
    }
    equal(await bytesOf(honest), await bytesOf('Nikąd'))
  })

  for (const name of ['Krewlod', 'Nikąd', '__proto__', 'constructor'])
    it(`GET /fleet/hosts/${name} | not observed | 404`, async () => {
      const { status, json } = await host.client.ask(`/fleet/hosts/${encodeURIComponent(name)}`)
      deepEqual([status, jsonField(json, 'error')], [404, 'TownNotObserved'])
    })
})
