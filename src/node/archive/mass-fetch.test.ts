import { deepEqual, equal, ok } from 'node:assert/strict'
import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { refuse } from '#protocol/refusal.js'
import { decodePrepared, type WritePort } from '#src/writing/command.js'
import { logPlanners, TakenLogs } from '#src/writing/logs.js'
import { callerWith } from '#test/support/front.js'
import { fetchingOf } from '#test/support/log-fetching.js'
import { worldOf } from '#test/support/world.js'
import { type MassFetchPorts, massFetch } from './mass-fetch.js'

const config = '{"integrations": {"logs": {"hosts": ["logi.example"]}}}'
const addresses = Array.from({ length: 120 }, (_, at) => `https://logi.example/n${at}`)
const world = worldOf({
  '.svc/config.json': config,
  'sesje/2026.md': `### 2026-05-10, Most, Brzoza\n\n- @Logi:\n${addresses.map(one => `    - ${one}\n`).join('')}`,
})
const task = {
  origin: { actor: { name: 'Brzoza', gracz: 'Brzoza', kind: 'session' }, route: 'POST /logs/fetch' },
  claimed: { row: 'logs.fetch', asker: { _tag: 'Host' }, grade: 'full' },
  addresses: null,
  isAgain: false,
} as const
const served = Object.fromEntries(addresses.map(one => [one, '[20:15] Orrin: hej\n']))

/** A gate that takes this many commits and then closes. */
const rig = (commitsMax: number, more: Partial<MassFetchPorts> = {}) => {
  const fetching = fetchingOf(served, () => world, config)
  const batches: Array<number> = []
  const events: Array<unknown> = []
  const write: WritePort = command => {
    if (batches.length >= commitsMax)
      return Promise.resolve(left(refuse('ReadOnly', 'This host takes no writes.', { reason: null })))
    const { logs } = decodePrepared(TakenLogs, command.prepared)
    batches.push(logs.length)
    const planned = logPlanners['logs.fetch'](world, {
      ...{
        path: {},
        query: { async: undefined },
        body: {},
        prepared: command.prepared,
        actor: command.actor,
      },
      ...{ caller: callerWith(['log.fetch']), dryRun: false, nowMs: 0 },
    })
    ok(!isLeft(planned))
    return Promise.resolve(right({ status: null, body: planned.right.answer, commit: null }))
  }
  const ports: MassFetchPorts = {
    logs: fetching,
    failures: fetching.failures,
    write,
    snapshot: () => world,
    publish: (kind, payload) => void events.push([kind, payload]),
    nowMs: () => 0,
    monotonicMs: () => 0,
    ...more,
  }
  const run = (signal = new AbortController().signal) => massFetch(ports, task, () => undefined, signal)
  return { run, batches, events, fetching }
}

describe('a mass fetch', () => {
  it('commits at most fifty transcripts together, and reports its progress', async () => {
    const { run, batches, events } = rig(99)
    const ended = await run()
    ok(!isLeft(ended))
    deepEqual([ended.right.Total, ended.right.Fetched, ended.right.FailedUrls], [120, 120, []])
    deepEqual(batches, [50, 50, 20])
    deepEqual(events.at(-1), ['logfetch:progress', { done: 120, total: 120, detail: 'done' }])
  })

  it('commits what has waited ten seconds', async () => {
    let nowMs = 0
    const { run, batches } = rig(99, { monotonicMs: () => (nowMs += 1_000) })
    await run()
    ok(batches.length > 3, `${batches.length}`)
    equal(
      batches.reduce((sum, one) => sum + one, 0),
      120,
    )
  })

  it('ends with what has landed where the gate closes, and asks for no more', async () => {
    const { run, fetching } = rig(1)
    const ended = await run()
    ok(!isLeft(ended))
    deepEqual([ended.right.Total, ended.right.Fetched], [120, 50])
    ok(fetching.asked.length < 120)
  })

  it('fails with the refusal where nothing has landed', async () => {
    const ended = await rig(0).run()
    equal(isLeft(ended) && ended.left._tag, 'ReadOnly')
  })

  it('begins nothing new after its signal aborts', async () => {
    const stop = new AbortController()
    stop.abort()
    const { run, fetching } = rig(99)
    await run(stop.signal)
    equal(fetching.asked.length, 0)
  })
})
