import { deepEqual, equal } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { ForgeOutcome, ForgeRequest } from '#protocol/host/forge.js'
import type { FailoverInput } from '#src/domain/fleet/failover.js'
import type { TopologyFence } from '#src/domain/fleet/role.js'
import { appendClosingLine } from '#src/domain/forge/wire.js'
import { type Ref, tell } from '#src/kernel/actor/ref.js'
import type { ActorTree } from '#src/kernel/run-tree.js'
import { darkFleet, townViewWith } from '#test/support/fleet/topologies.js'
import { type KernelWorld, kernelWorld } from '#test/support/kernel/kernel-world.js'
import { type FailoverMessage, failover } from './failover.js'

const request = (state: ForgeRequest['state'], changes: Partial<ForgeRequest> = {}): ForgeRequest => ({
  iid: 7,
  url: 'https://forge.example/7',
  state,
  sourceBranch: 'fleet/takeover/1-b',
  targetBranch: 'main',
  sha: null,
  description: 'kronika-version: c',
  mergeStatus: null,
  mergedAtMs: null,
  mergeCommit: null,
  ...changes,
})

describe('the failover actor', () => {
  let world: KernelWorld
  let tree: ActorTree
  let actor: Ref<FailoverMessage>
  let misses: number
  let isEnabled: boolean
  let hasActiveJob: boolean
  let fence: TopologyFence
  let outcome: ForgeOutcome
  let happened: Array<string>
  /** Runs while the forge is asked. */
  let meanwhile: () => void

  const read = (): FailoverInput => ({
    facts: {
      canActuate: true,
      cooldown: null,
      fleet: darkFleet({
        Erathia: townViewWith({ isReachable: false, consecutiveMisses: misses, syncAgeMinutes: null }),
      }),
      self: 'Avlee',
      afterSweeps: 3,
    },
    isEnabled,
    fence,
    hasActiveJob,
    failures: [],
  })

  const sweep = async (): Promise<ReadonlyArray<string>> => {
    happened = []
    misses += 1
    tell(actor, { _tag: 'Swept' })
    await world.settle()
    return happened
  }

  beforeEach(async () => {
    world = kernelWorld()
    misses = 2
    isEnabled = true
    hasActiveJob = false
    fence = { commit: 'c', blob: 'b' }
    outcome = { _tag: 'Requests', requests: [] }
    meanwhile = () => undefined
    const placed = await world.alone(failover, {
      read,
      forge: call => {
        happened.push(call._tag === 'ListRequests' ? call.sourceBranch : call._tag)
        meanwhile()
        return Promise.resolve({ outcome, status: 200, dateMs: null })
      },
      targetBranch: 'main',
      ask: () => {
        happened.push('ask')
        return true
      },
      report: ({ seen }) => void happened.push(seen),
    })
    tree = placed.tree
    actor = placed.ref
  })
  afterEach(() => tree.close())

  it('looks at the requests and asks, once the apex is dark for long enough', async () => {
    misses = 1
    deepEqual(await sweep(), [])
    deepEqual(await sweep(), ['fleet/takeover/1-b', 'ask'])
  })

  it('makes no call where it may not ask anyway', async () => {
    isEnabled = false
    deepEqual(await sweep(), [])
    isEnabled = true
    hasActiveJob = true
    deepEqual(await sweep(), [])
  })

  it('asks again at the next sweep after a job that failed, and more seldom after each', async () => {
    const sweeps: Array<boolean> = []
    for (let at = 0; at < 8; at += 1) sweeps.push((await sweep()).includes('ask'))
    deepEqual(sweeps, [true, true, false, true, false, false, false, true])
  })

  it('forgets its earlier asking once the apex has answered', async () => {
    for (let at = 0; at < 4; at += 1) await sweep()
    misses = 0
    await sweep()
    misses = 2
    equal((await sweep()).includes('ask'), true)
  })

  it('does not ask after a look that failed, nor where a person has closed the request', async () => {
    outcome = { _tag: 'Denied', status: 401 }
    deepEqual(await sweep(), ['fleet/takeover/1-b', 'unknown'])
    outcome = { _tag: 'Requests', requests: [request('closed')] }
    deepEqual(await sweep(), ['fleet/takeover/1-b', 'vetoed'])
  })

  it('ignores a request that a daemon closed, and ended ones of another version', async () => {
    const closed = request('closed', { description: appendClosingLine('', 'Deyja', 'timed_out') })
    const other = request('merged', { description: 'kronika-version: before' })
    outcome = { _tag: 'Requests', requests: [closed, other] }
    deepEqual(await sweep(), ['fleet/takeover/1-b', 'ask'])
  })

  it('leaves an open request to the host that works on it for two sweeps', async () => {
    outcome = { _tag: 'Requests', requests: [request('opened')] }
    deepEqual([(await sweep()).at(-1), (await sweep()).at(-1)], ['open', 'open'])
    deepEqual((await sweep()).at(-1), 'ask')
  })

  it('does not ask where the topology changed or the apex answered during the look', async () => {
    meanwhile = () => {
      fence = { commit: 'd', blob: 'd' }
    }
    deepEqual(await sweep(), ['fleet/takeover/1-b'])
    meanwhile = () => {
      misses = 0
    }
    deepEqual(await sweep(), ['fleet/takeover/1-d'])
  })
})
