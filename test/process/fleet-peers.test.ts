import { deepEqual, equal } from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'mocha'
import { type Daemon, eventually, getJson, postJson, startDaemon } from '#test/support/daemon.js'
import { fleetText } from '#test/support/fleet/topologies.js'
import { findFreePort } from '#test/support/free-port.js'
import { jsonField } from '#test/support/json-field.js'
import { sampleSum } from '#test/support/metric-text.js'
import { orrin } from '#test/support/node.js'
import { cloneOf, gitIn, temporaryFolder, writeFiles } from '#test/support/repository.js'

const path = '.svc/fleet.json'
const towns = ['Bracada', 'Deyja', 'Erathia'] as const
type Town = (typeof towns)[number]

/** A sweep counts after 0.6 s of silence, and its answer may come 15 s later: by then 25 other sweeps have counted. */
const watchIntervalMin = 0.01
const sweepsOfLateness = 26

/** Three built daemons over one remote, which converge by themselves once in ten hours. */
describe('three built hosts that watch each other', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let urls: Readonly<Record<string, { readonly url: string }>>
  const daemons = new Map<Town, Daemon>()
  const at = (name: string): string => join(folder.path, name)
  const daemonOf = (town: Town): Daemon => {
    const daemon = daemons.get(town)
    if (daemon === undefined) throw new Error(`${town} does not run`)
    return daemon
  }

  const push = (apex: Town, term: number): void => {
    writeFiles(at('person'), { [path]: fleetText(apex, term, towns, urls) })
    gitIn(at('person'), 'add', '-A')
    gitIn(at('person'), 'commit', '-q', '-m', `${apex} leads`)
    gitIn(at('person'), 'push', '-q', at('bare.git'), 'main')
  }
  const converge = async (town: Town): Promise<void> =>
    equal((await postJson(daemonOf(town), '/sync', {})).status, 200)
  const peerAt = async (town: Town, peer: Town): Promise<unknown> =>
    (await getJson(daemonOf(town), `/fleet/hosts/${peer}`)).body
  const missesAt = async (town: Town, peer: Town): Promise<number> =>
    Number(jsonField(await peerAt(town, peer), 'consecutiveMisses') ?? 0)
  const awaitReachable = (town: Town, peer: Town) =>
    eventually(
      () => peerAt(town, peer),
      one => jsonField(one, 'reachable') === true,
    )
  const roleOf = async (town: Town): Promise<unknown> =>
    jsonField((await getJson(daemonOf(town), '/fleet/status')).body, 'role')
  const metricOf = async (
    town: Town,
    name: string,
    labels: Readonly<Record<string, string>>,
  ): Promise<number> => {
    const { port } = new URL(daemonOf(town).ready.ops)
    return sampleSum(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(), name, labels)
  }

  before(async () => {
    folder = temporaryFolder()
    gitIn(folder.path, 'init', '-q', '--bare', '-b', 'main', at('bare.git'))
    gitIn(folder.path, 'init', '-q', '-b', 'main', at('person'))
    const ports = await Promise.all(towns.map(findFreePort))
    urls = Object.fromEntries(
      towns.map((town, nth) => [town, { url: `http://127.0.0.1:${ports[nth]}/v1/api` }]),
    )
    writeFiles(at('person'), {
      '.svc/format.json': '{"format": 2}\n',
      '.svc/config.json': JSON.stringify({
        server: { sync_interval_min: 600, publish_mode: 'none' },
        fleet: { watch_interval_min: watchIntervalMin, auto_failover: { enabled: false } },
      }),
      'encje/indeks.md': orrin,
    })
    push('Erathia', 1)
    const start = async (town: Town, nth: number): Promise<void> => {
      cloneOf(at('bare.git'), at(town))
      const args = ['serve', '--repo', at(town), '--town', town, '--port', String(ports[nth])]
      daemons.set(town, await startDaemon(args))
      await converge(town)
    }
    await Promise.all(towns.map(start))
    for (const town of towns) for (const peer of towns) if (peer !== town) await awaitReachable(town, peer)
  })
  after(async () => {
    await Promise.all([...daemons.values()].map(daemon => daemon.stop()))
    folder.dispose()
  })

  it('learn of a flip by the card of the new apex, and not at their next interval (S11)', async () => {
    push('Deyja', 2)
    await converge('Deyja')
    equal(await roleOf('Deyja'), 'primary')
    await eventually(
      () => roleOf('Erathia'),
      role => role === 'replica',
    )
    await eventually(
      async () => jsonField((await getJson(daemonOf('Bracada'), '/fleet/peers')).body, 'takeover'),
      takeover => jsonField(takeover, 'apex') === 'Deyja',
    )
    for (const town of ['Bracada', 'Erathia'] as const)
      await eventually(
        () => metricOf(town, 'svc_sync_runs_total', { trigger: 'announce' }),
        runs => runs > 0,
      )
  })

  it('take no miss of a frozen process back, and call the town late when it answers after all', async () => {
    const frozen = daemonOf('Erathia').process
    const lateAnswers = (): Promise<number> =>
      metricOf('Bracada', 'svc_fleet_late_answers_total', { town: 'Erathia' })
    const lateBefore = await lateAnswers()
    frozen.kill('SIGSTOP')
    try {
      const seen: Array<number> = []
      await eventually(
        async () => {
          seen.push(await missesAt('Bracada', 'Erathia'))
          return seen.at(-1) ?? 0
        },
        misses => misses > sweepsOfLateness,
      )
      deepEqual(
        seen,
        [...seen].sort((a, b) => a - b),
      )
      const dark = await peerAt('Bracada', 'Erathia')
      deepEqual([jsonField(dark, 'reachable'), jsonField(dark, 'failure')], [false, 'timeout'])
      equal(await lateAnswers(), lateBefore)
    } finally {
      frozen.kill('SIGCONT')
    }
    await awaitReachable('Bracada', 'Erathia')
    // Which request is answered first is up to the system: the town is stopped until one of an earlier sweep was.
    while ((await lateAnswers()) === lateBefore) {
      frozen.kill('SIGSTOP')
      const misses = await missesAt('Bracada', 'Erathia')
      await eventually(
        () => missesAt('Bracada', 'Erathia'),
        now => now > misses,
      )
      frozen.kill('SIGCONT')
      await awaitReachable('Bracada', 'Erathia')
    }
    await eventually(
      () => peerAt('Bracada', 'Erathia'),
      one => jsonField(one, 'late') === false && jsonField(one, 'consecutiveMisses') === 0,
    )
  })
})
