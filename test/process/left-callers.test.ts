import { deepEqual, equal } from 'node:assert/strict'
import { type ClientRequest, request } from 'node:http'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { machineToken } from '#src/adapters/state/state-area.js'
import { callerLimits } from '#src/node/gate/limit-callers.js'
import { eventually } from '#test/support/daemon.js'
import { makeLatch } from '#test/support/latch.js'
import { nodeFiles, startNode, type TestNode } from '#test/support/node.js'

const path = '/entities/Orrin'
const bodyOf = (value: string): string => JSON.stringify({ tag: 'info', value })

describe('writes whose callers leave while they wait in the gate', () => {
  let node: TestNode
  let turn = makeLatch()
  let go = makeLatch()
  let looks: number
  let adoptionReads: number

  beforeEach(async () => {
    turn = makeLatch()
    go = makeLatch()
    looks = 0
    adoptionReads = 0
    node = await startNode({
      files: nodeFiles,
      amend: ports => {
        const { gate } = ports
        const fresh: typeof gate.fresh = async () => {
          looks += 1
          turn.open()
          await go.opened
          return gate.fresh()
        }
        const { source } = gate.adoption
        const list: typeof source.list = head => {
          adoptionReads += 1
          return source.list(head)
        }
        const adoption = { ...gate.adoption, source: { ...source, list } }
        return { ...ports, gate: { ...gate, fresh, adoption } }
      },
    })
  })
  afterEach(() => {
    go.open()
    return node.stop()
  })

  const commits = (): number => Number(node.repository.git('rev-list', '--count', 'HEAD'))
  const patch = (value: string) => node.client.ask(path, { method: 'PATCH', body: bodyOf(value) })
  const asked = (): number => node.faults.kernel().tallies().get('write-gate')?.sent ?? 0
  const dropped = () => node.metric('svc_write_results_total', { result: 'dropped' })

  /** A request on a connection of its own, which the test can close. */
  const open = (method: string, at: string, body: string): ClientRequest => {
    const headers = {
      Authorization: `Bearer ${machineToken(node.host.checkout.state)}`,
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
    }
    const port = node.running.listeners.current()?.apiPort
    const sent = request({
      host: '127.0.0.1',
      port,
      path: `/v1/api${at}`,
      method,
      headers,
      agent: false,
    })
    sent.on('error', () => undefined)
    sent.end(body)
    return sent
  }
  const openWrite = (value: string): ClientRequest => open('PATCH', path, bodyOf(value))

  const waitForAsked = (count: number) =>
    eventually(
      () => Promise.resolve(asked()),
      now => now >= count,
    )

  /** Makes requests reach the gate while it works on a write, and closes their connections. */
  const openAndLeave = async (makers: ReadonlyArray<() => ClientRequest>): Promise<void> => {
    const before = asked()
    const requests = makers.map(make => make())
    await waitForAsked(before + requests.length)
    for (const one of requests) one.destroy()
    // The write under way, and the request for the metrics itself.
    await eventually(
      () => node.metric('svc_http_requests_in_flight'),
      count => count <= 2,
    )
  }
  const leave = (values: ReadonlyArray<string>): Promise<void> =>
    openAndLeave(values.map(value => () => openWrite(value)))

  it('are dropped and counted; a write that is sent again is made', async () => {
    const first = patch('pierwszy')
    await turn.opened
    await leave(['drugi'])
    go.open()
    equal((await first).status, 200)
    await eventually(dropped, count => count === 1)
    equal(commits(), 2)
    equal((await patch('drugi')).status, 200)
    deepEqual([commits(), await dropped()], [3, 1])
  })

  it('delay the write of another caller by no batch of their own', async () => {
    const first = patch('pierwszy')
    await turn.opened
    await leave(Array.from({ length: callerLimits.writes - 2 }, (_, at) => `porzucony ${at}`))
    const before = asked()
    const other = patch('ostatni')
    await waitForAsked(before + 1)
    go.open()
    deepEqual([(await first).status, (await other).status], [200, 200])
    equal(await dropped(), callerLimits.writes - 2)
    deepEqual([commits(), looks], [3, 2])
  })

  it('hold their places until the gate drops them: the next write of that caller is 503 with Retry-After', async () => {
    const first = patch('pierwszy')
    await turn.opened
    await leave(Array.from({ length: callerLimits.writes - 1 }, (_, at) => `porzucony ${at}`))
    const refused = await patch('o jeden za dużo')
    deepEqual(
      [refused.status, refused.headers['retry-after'], Reflect.get(Object(refused.json), 'error')],
      [503, '1', 'Overloaded'],
    )
    go.open()
    equal((await first).status, 200)
    await eventually(dropped, count => count === callerLimits.writes - 1)
    equal((await patch('znowu')).status, 200)
    equal(commits(), 3)
  })

  for (const at of ['/import', '/import?dryRun=true', '/locations/reindex', '/locations/reindex?dryRun=true'])
    it(`POST ${at} is not begun when its caller has left, and its caller has one without an answer`, async () => {
      const post = (url: string) => node.client.ask(url, { method: 'POST', body: '{}' })
      const first = patch('pierwszy')
      await turn.opened
      await openAndLeave([() => open('POST', at, '{}')])
      const refused = await post('/import?dryRun=true')
      deepEqual(
        [refused.status, refused.headers['retry-after'], Reflect.get(Object(refused.json), 'error')],
        [503, '1', 'Overloaded'],
      )
      go.open()
      equal((await first).status, 200)
      const next = await eventually(
        () => post('/import?dryRun=true'),
        ({ status }) => status !== 503,
      )
      deepEqual([next.status, adoptionReads, commits()], [200, 1, 2])
    })
})
