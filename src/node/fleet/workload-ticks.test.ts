import { deepEqual, equal } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { WorkloadTick } from '#src/ports/host.js'
import { eventually } from '#test/support/daemon.js'
import { nodeFiles, startNode, type TestNode } from '#test/support/node.js'
import { cloneOf, gitIn, temporaryFolder } from '#test/support/repository.js'

const topology = (apex: string, term: number): string =>
  JSON.stringify({
    apex,
    term,
    towns: {
      Erathia: { url: 'http://127.0.0.1:9/v1/api', eligible: true },
      Deyja: { url: 'http://127.0.0.1:9/v1/api', eligible: true },
    },
  })

describe('the tick of a workload at a whole node', () => {
  let node: TestNode
  let folder: ReturnType<typeof temporaryFolder>
  let other: string
  let ticks: Array<WorkloadTick>
  let idle: Array<string>
  beforeEach(() => {
    folder = temporaryFolder()
    other = join(folder.path, 'other')
    ticks = []
    idle = []
  })
  afterEach(async () => {
    await node.stop()
    folder.dispose()
  })

  /** A node with a runner that records its ticks, a remote, and the clone of another host. */
  const start = async (town: string, files: Readonly<Record<string, string>> = nodeFiles): Promise<void> => {
    node = await startNode({
      town,
      files,
      runners: new Map([
        [
          'map_checkup',
          {
            intervalMs: 20,
            budgetMs: 60_000,
            run: tick => {
              ticks.push(tick)
              return Promise.resolve()
            },
          },
        ],
      ]),
      amend: ports => ({
        ...ports,
        workloads: {
          ...ports.workloads,
          idle: (workload, reason) => {
            idle.push(reason)
            ports.workloads.idle(workload, reason)
          },
        },
      }),
    })
    const bare = join(folder.path, 'bare.git')
    gitIn(folder.path, 'clone', '-q', '--bare', node.repository.path, bare)
    cloneOf(bare, other)
    node.repository.git('remote', 'add', 'origin', bare)
    await converge()
  }
  const converge = async (): Promise<void> =>
    equal((await node.client.ask('/sync', { method: 'POST', body: '{}' })).status, 200)

  /** Commits a file as another host does, and converges. */
  const receive = async (path: string, text: string): Promise<void> => {
    gitIn(other, 'pull', '-q')
    writeFileSync(join(other, path), text)
    gitIn(other, 'add', '-A')
    gitIn(other, 'commit', '-q', '-m', 'other')
    gitIn(other, 'push', '-q')
    await converge()
  }
  const setOwner = async (owner: string): Promise<void> => {
    const reply = await node.client.ask('/config/schedules/map_checkup', {
      method: 'PATCH',
      body: JSON.stringify({ owner }),
    })
    equal(reply.status, 200, reply.text)
  }
  /** Waits for the next ticks, which must all run. */
  const expectRuns = async (): Promise<void> => {
    const [ran, rested] = [ticks.length, idle.length]
    await eventually(
      () => Promise.resolve(ticks.length),
      count => count > ran + 1,
    )
    equal(idle.length, rested)
  }
  /** Waits for the next ticks, which must all rest for the reason. */
  const expectIdle = async (reason: string): Promise<void> => {
    const [ran, rested] = [ticks.length, idle.length]
    await eventually(
      () => Promise.resolve(idle.length),
      count => count > rested + 1,
    )
    equal(ticks.length, ran)
    deepEqual(new Set(idle.slice(rested)), new Set([reason]))
  }

  it('obeys the owner of the next commit, also of another host, without a restart', async () => {
    await start('')
    await expectRuns()
    // A tick before the first converge has rested for that reason.
    const sinceRecord = node.records.length
    for (const owner of ['off', 'ci']) {
      await setOwner(owner)
      await expectIdle('not_owner')
    }
    await setOwner('fleet')
    await expectRuns()
    const ownedBy = (owner: string): string =>
      JSON.stringify({ server: { selfheal_interval_ms: 100 }, schedules: { map_checkup: owner } })
    await converge()
    await receive('.svc/config.json', ownedBy('off'))
    await expectIdle('not_owner')
    await receive('.svc/config.json', ownedBy('everybody'))
    await expectRuns()
    equal(await node.metric('svc_tick_failures_total', { tick: 'map_checkup' }), 0)
    equal(await node.metric('svc_tick_overruns_total', { tick: 'map_checkup' }), 0)
    equal((await node.metric('svc_tick_duration_seconds_count', { tick: 'map_checkup' })) > 0, true)
    const logged = node.records.slice(sinceRecord).filter(({ event }) => event === 'workload_idle')
    deepEqual(
      logged.map(({ fields }) => fields),
      Array.from({ length: 2 }, () => ({ workload: 'map_checkup', reason: 'not_owner' })),
    )
  })

  it('runs on the apex alone, and pushes nothing planned under another topology', async () => {
    await start('Erathia', { ...nodeFiles, '.svc/fleet.json': topology('Deyja', 1) })
    await expectIdle('not_apex')
    equal(ticks.length, 0)
    await receive('.svc/fleet.json', topology('Erathia', 2))
    await expectRuns()
    const planned = ticks.at(-1)
    const whyNoPush = (tick: WorkloadTick | undefined): string | null => {
      if (tick === undefined) throw new Error('no tick ran')
      return tick.whyNoPush()
    }
    equal(whyNoPush(planned), null)
    await receive('.svc/fleet.json', topology('Deyja', 3))
    await expectIdle('not_apex')
    equal(whyNoPush(planned), 'not_apex')
    await receive('.svc/fleet.json', topology('Erathia', 4))
    await expectRuns()
    deepEqual([whyNoPush(planned), whyNoPush(ticks.at(-1))], ['topology_changed', null])
  })
})
