import { deepEqual, equal } from 'node:assert/strict'
import { afterEach, describe, it } from 'mocha'
import type { FleetWorkload } from '#protocol/host/config.js'
import type { DutyView } from '#src/domain/fleet/role.js'
import { ready } from '#src/kernel/actor/actor.js'
import type { ActorTree } from '#src/kernel/run-tree.js'
import type { WorkloadRunner, WorkloadRunners } from '#src/ports/host.js'
import { type KernelWorld, kernelWorld } from '#test/support/kernel/kernel-world.js'
import { workloadTicker } from './workload-ticker.js'

const moment = { nowMs: 0, monotonicMs: 0, id: '', chance: 0, incarnation: '' }

describe('the workload ticker', () => {
  let world: KernelWorld
  let tree: ActorTree
  let said: Array<string>
  let sight: DutyView
  afterEach(() => tree.close())

  const place = async (runs: Readonly<Record<'map_checkup' | 'alias_autopilot', WorkloadRunner['run']>>) => {
    world = kernelWorld()
    said = []
    sight = { whyNot: null, fence: null }
    const minute = { intervalMs: 60_000, budgetMs: 1_000 }
    const runners: WorkloadRunners = new Map([
      ['map_checkup', { ...minute, run: runs.map_checkup }],
      ['alias_autopilot', { ...minute, run: runs.alias_autopilot }],
    ])
    const placed = await world.alone(workloadTicker(runners), {
      runners,
      running: new Set<FleetWorkload>(),
      sight: () => sight,
      monotonicMs: world.clock.monotonicMs,
      idle: (workload, reason) => void said.push(`${workload} ${reason}`),
      failed: (workload, error) => void said.push(`${workload} failed: ${String(error)}`),
      ended: (workload, elapsedMs) => void said.push(`${workload} ${elapsedMs} ms`),
    })
    tree = placed.tree
  }
  const runAtOnce = () => Promise.resolve()
  const runFor = (ms: number) => () => new Promise<void>(resolve => void world.clock.after(ms, resolve))

  it('begins a tick an interval after the one before has ended, and one at a time', async () => {
    await place({ map_checkup: runFor(90_000), alias_autopilot: runAtOnce })
    await world.advance(149_999)
    deepEqual(said, [])
    await world.advance(1)
    deepEqual(said, ['map_checkup 90000 ms', 'alias_autopilot 0 ms'])
    await world.advance(150_000)
    deepEqual(said.slice(2), ['map_checkup 90000 ms', 'alias_autopilot 0 ms'])
  })

  it('goes on after a run that fails', async () => {
    await place({ map_checkup: () => Promise.reject(new Error('no map')), alias_autopilot: runAtOnce })
    await world.advance(120_000)
    const round = ['map_checkup failed: Error: no map', 'map_checkup 0 ms', 'alias_autopilot 0 ms']
    deepEqual(said, [...round, ...round])
    equal(world.log.filter(({ event }) => event === 'fault').length, 0)
  })

  it('asks for the duty at every tick', async () => {
    await place({ map_checkup: runAtOnce, alias_autopilot: runAtOnce })
    sight = { whyNot: 'not_owner', fence: null }
    await world.advance(60_000)
    deepEqual(said, ['map_checkup not_owner', 'alias_autopilot not_owner'])
    sight = { whyNot: null, fence: null }
    await world.advance(60_000)
    deepEqual(said.slice(2), ['map_checkup 0 ms', 'alias_autopilot 0 ms'])
  })

  it('stops a run that hangs, and begins no other beside it where it ignores that', async () => {
    let runs = 0
    const hang = (): Promise<void> => {
      runs += 1
      return new Promise(() => undefined)
    }
    await place({ map_checkup: hang, alias_autopilot: runAtOnce })
    await world.advance(1_000_000)
    deepEqual(
      [said.includes('map_checkup still_running'), said.includes('alias_autopilot 0 ms')],
      [true, true],
    )
    equal(runs, 1)
  })

  it('has no timer without a runner', async () => {
    await place({ map_checkup: runAtOnce, alias_autopilot: runAtOnce })
    deepEqual(workloadTicker(new Map()).initial(moment)[1], [ready])
  })
})
