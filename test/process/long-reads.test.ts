import { deepEqual, equal, ok } from 'node:assert/strict'
import { request } from 'node:http'
import { describe, it } from 'mocha'
import { tokenHash } from '#src/domain/identity/credentials/tokens.js'
import { readLimits } from '#src/http/routing/read-admission.js'
import { eventually } from '#test/support/daemon.js'
import { isFields } from '#test/support/matching.js'
import { nodeFiles, startNode, type TestNode } from '#test/support/node.js'

const keyOf = (letter: string): string => `apik_${letter.repeat(43)}`
const [solmyr, gelu] = [keyOf('s'), keyOf('g')]
const person = (name: string, gameId: number, key: string): string =>
  `### ${name}\n- @gameid: ${gameId}\n- @klucz_api: sha256:${tokenHash(key).toString('hex')}\n`

/** A thousand blocks that share a name, so that a query with a filter looks at each. */
const guards = Array.from(
  { length: 1_000 },
  (_, at) => `### Strażnik ${at}\n- @typ: NPC\n- @alias: Wartownik\n`,
).join('\n')

const files = {
  ...nodeFiles,
  'kontrybutorzy.md': `## Gracz\n\n${person('Solmyr', 1, solmyr)}\n${person('Gelu', 2, gelu)}`,
  'encje/straż.md': guards,
}

/** A batch of different names, longer than a body that is decoded in one turn. */
const batchOf = (count: number, mark: string): string =>
  JSON.stringify({ queries: Array.from({ length: count }, (_, at) => `Strażnikk ${mark} ${at}`) })

const dayOf = (at: number): string => new Date(Date.UTC(2000, 0, 1 + at)).toISOString().slice(0, 10)

/** Queries that compare every guard, on different days, so that none is answered by another one. */
const filteredOf = (count: number): string =>
  JSON.stringify({
    queries: Array.from({ length: count }, (_, at) => ({
      name: 'Wartownik',
      type: 'Mapa',
      activeOn: dayOf(at),
    })),
  })

for (const threads of [0, 1])
  describe(`long reads of one player, with ${threads} reader threads`, () => {
    let node: TestNode

    before(async () => {
      const config = { server: { selfheal_interval_ms: 60_000, reader_threads: threads } }
      node = await startNode({ files: { ...files, '.svc/config.json': JSON.stringify(config) } })
    })
    after(() => node.stop())

    const resolveBatch = (body: string, token = solmyr) =>
      node.client.ask('/resolve/batch', { method: 'POST', body, token })

    /** Sends the head of a batch and a part of its body. The returned function leaves. */
    const beginBatch = (body = batchOf(2_000, 'begun'), sends = 1): (() => void) => {
      const sent = request({
        host: '127.0.0.1',
        port: node.running.listeners.current()?.apiPort,
        path: '/v1/api/resolve/batch',
        method: 'POST',
        agent: false,
        headers: {
          authorization: `Bearer ${solmyr}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      })
      sent.on('error', () => undefined)
      sent.write(body.slice(0, sends))
      return () => sent.destroy()
    }

    const statusOfBatch = (mark: string) => resolveBatch(batchOf(1_500, mark)).then(({ status }) => status)

    it('wait in a line of 64 behind 4, and beyond that are 503 with Retry-After; short reads are not', async () => {
      const path = '/entities/Kupiec%20Orrin'
      const { headers } = await node.client.ask(path, { token: solmyr })
      const most = readLimits.person + readLimits.waitingOfCaller
      const leaving = Array.from({ length: most }, () => beginBatch())
      const refused = await eventually(
        () => resolveBatch(batchOf(1_500, 'more')),
        ({ status }) => status === 503,
      )
      equal(isFields(refused.json) && refused.json['error'], 'Overloaded')
      ok(Number(refused.headers['retry-after']) >= 1)
      equal(await statusOfBatch('again'), 503)
      equal((await resolveBatch(batchOf(1_500, 'other'), gelu)).status, 200)
      const validated = { token: solmyr, headers: { 'If-None-Match': String(headers.etag) } }
      equal((await node.client.ask(path, { token: solmyr })).status, 200)
      equal((await node.client.ask(path, validated)).status, 304)
      equal((await node.client.ask('/entities/Stra%C5%BCnik%207', { token: solmyr })).status, 200)
      equal((await resolveBatch(JSON.stringify({ queries: ['Orrin'] }))).status, 200)
      for (const leave of leaving) leave()
      await eventually(
        () => statusOfBatch('free'),
        status => status === 200,
      )
    })

    it('delay neither the status of the host, nor its health, nor the reads of another player', async () => {
      const order: string[] = []
      const note = (name: string) => () => void order.push(name)
      const crowd = Array.from({ length: 60 }, (_, at) =>
        resolveBatch(batchOf(3_000, `z ${at}`)).then(note('crowd')),
      )
      await crowd[0]
      for (let at = 0; at < 3; at += 1)
        for (const [path, token] of [
          ['/fleet/status', null],
          ['/health', null],
          ['/entities/Kupiec%20Orrin', gelu],
        ] as const) {
          equal((await node.client.ask(path, { token })).status, 200)
          order.push('other')
        }
      await Promise.all(crowd)
      const behind = order.slice(order.lastIndexOf('other')).filter(name => name === 'crowd')
      ok(behind.length >= 20, `only ${behind.length} of 60 batches ended later: ${order.join(' ')}`)
    })

    it('are refused above a budget of work that names what to narrow, and not below it', async () => {
      equal((await resolveBatch(filteredOf(500))).status, 200)
      const refused = await resolveBatch(filteredOf(6_000))
      deepEqual(
        [refused.status, isFields(refused.json) && [refused.json['error'], refused.json['narrow']]],
        [422, ['TooMuchWork', ['queries']]],
      )
      equal((await resolveBatch(batchOf(10_000, 'n'))).status, 200)
    })

    it('of clients who have left give their places back when their work has ended', async () => {
      const body = batchOf(2_000, 'gone')
      const leaving = Array.from({ length: 60 }, () => beginBatch(body, body.length))
      equal(await statusOfBatch('beside'), 200)
      for (const leave of leaving) leave()
      for (let at = 0; at < 8; at += 1) equal((await resolveBatch(batchOf(2_000, `p ${at}`))).status, 200)
    })
  })
