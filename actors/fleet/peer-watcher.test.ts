import { deepEqual, equal } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { HostClocks, HostPause } from '#src/domain/fleet/fleet-state.js'
import type { AnsweredProbe, PeerRecord, ProbeResult } from '#src/domain/fleet/peers.js'
import { type Ref, tell } from '#src/kernel/actor/ref.js'
import type { ActorTree } from '#src/kernel/run-tree.js'
import { type KernelWorld, kernelWorld } from '#test/support/kernel/kernel-world.js'
import { makeLatch } from '#test/support/latch.js'
import { type PeerObservation, type PeerWatcherMessage, peerWatcher } from './peer-watcher.js'

const intervalMs = 300_000
const timeoutMs = 15_000
const town = 'Deyja'
const answered: AnsweredProbe = { _tag: 'Answered', kind: 'health', card: null }
const refused: ProbeResult = { _tag: 'Failed', kind: 'fleet-status', why: 'refused' }
const timedOut: ProbeResult = { _tag: 'Failed', kind: 'fleet-status', why: 'timeout' }
const notSent: ProbeResult = { _tag: 'NotSent' }

describe('the peer watcher', () => {
  let world: KernelWorld
  let tree: ActorTree
  let watcher: Ref<PeerWatcherMessage>
  let result: ProbeResult
  /** Runs while a probe is under way. */
  let meanwhile: () => Promise<void>
  let sleptMs: number
  let lateMs: number
  let probes: number
  let order: ReadonlyArray<string>
  let pauses: ReadonlyArray<HostPause>
  let last: PeerObservation | null
  /** The answers that the probes would hear late, the first probe first. */
  let hear: ReadonlyArray<() => void>
  /** Pauses that watchers of other towns found. */
  let othersPauses: number
  let isFaulty: boolean

  const clocks = (): HostClocks => {
    const monotonicMs = world.clock.monotonicMs() + lateMs
    return {
      monotonicMs,
      wallMs: world.clock.nowMs() + lateMs + sleptMs,
      uptimeMs: monotonicMs + sleptMs,
      pauses: pauses.length + othersPauses,
    }
  }
  const record = (): PeerRecord | null => last?.record ?? null
  const start = async (
    converge: () => Promise<void> = () => Promise.resolve(),
    everyMs = intervalMs,
  ): Promise<void> => {
    const placed = await world.alone(peerWatcher({ town, intervalMs: everyMs }), {
      clocks,
      began: () => {
        order = [...order, 'began']
      },
      probe: async (_, onLate) => {
        probes += 1
        hear = [...hear, () => onLate({ result: answered, roundTripMs: 18_000 })]
        order = [...order, 'probe']
        await meanwhile()
        return { result, roundTripMs: 40 }
      },
      paused: async pause => {
        pauses = [...pauses, pause]
        order = [...order, 'converge']
        await converge()
      },
      observed: observation => {
        if (isFaulty) throw new Error('a fault of the test')
        last = observation
      },
    })
    tree = placed.tree
    watcher = placed.ref
  }
  const sweeps = (count: number): Promise<void> => world.advance(count * intervalMs)

  beforeEach(() => {
    world = kernelWorld()
    ;[sleptMs, lateMs, probes, order, pauses, last, othersPauses, hear] = [0, 0, 0, [], [], null, 0, []]
    result = answered
    isFaulty = false
    meanwhile = () => Promise.resolve()
  })
  afterEach(() => tree.close())

  it('probes within a second of its start, and then once in each interval', async () => {
    await start()
    await world.advance(1_000)
    equal(probes, 1)
    await sweeps(3)
    equal(probes, 4)
  })

  it('records the round trip of the answered request, and the whole probe where it failed', async () => {
    meanwhile = () => new Promise(resolve => world.clock.after(300, resolve))
    await start()
    await world.advance(2_000)
    equal(record()?.elapsedMs, 40)
    result = timedOut
    await sweeps(1)
    equal(record()?.elapsedMs, 300)
  })

  it('counts failed probes, at most one in an interval, and none that was not sent (S8)', async () => {
    result = refused
    await start()
    await world.advance(1_000)
    await sweeps(2)
    equal(record()?.consecutiveMisses, 3)
    result = notSent
    await sweeps(2)
    equal(record()?.consecutiveMisses, 3)
    result = answered
    await sweeps(1)
    equal(record()?.consecutiveMisses, 0)
  })

  it('begins the next probe an interval after the last one began', async () => {
    meanwhile = () => new Promise(resolve => world.clock.after(9_000, resolve))
    await start()
    await world.advance(1_000)
    await sweeps(10)
    equal(probes, 11)
  })

  it('ignores the end of a probe that another one has replaced', async () => {
    result = refused
    const ended = makeLatch()
    meanwhile = () => ended.opened
    await start()
    await world.advance(1_000)
    tell(watcher, { _tag: 'ClocksRead', clocks: clocks() })
    await world.settle()
    equal(probes, 2)
    ended.open()
    await world.settle()
    equal(record()?.consecutiveMisses, 1)
  })

  it('begins with 0 misses after a fault', async () => {
    result = refused
    await start()
    await world.advance(1_000)
    await sweeps(1)
    isFaulty = true
    await sweeps(1)
    isFaulty = false
    await world.advance(2_000)
    equal(record()?.consecutiveMisses, 1)
    equal(order.filter(one => one === 'began').length, 2)
  })

  for (const [name, pause] of [
    ['a timer that is late by half an interval', () => (lateMs += intervalMs)],
    ['a sleep of the machine', () => (sleptMs += 3_600_000)],
  ] as const)
    it(`converges before the next probe after ${name}, and suspects after three fresh probes`, async () => {
      result = refused
      await start()
      await world.advance(1_000)
      await sweeps(2)
      pause()
      await sweeps(1)
      deepEqual(order.slice(-3), ['probe', 'converge', 'probe'])
      deepEqual([record()?.consecutiveMisses, record()?.isSettling], [4, true])
      await sweeps(1)
      equal(record()?.isSettling, true)
      await sweeps(1)
      deepEqual([record()?.consecutiveMisses, record()?.isSettling], [6, false])
      equal(pauses.length, 1)
    })

  it('suspects after three fresh probes where the watcher of another town found the pause', async () => {
    result = refused
    await start()
    await world.advance(1_000)
    othersPauses += 1
    const settling: Array<boolean | undefined> = []
    for (let sweep = 0; sweep < 3; sweep += 1) {
      await sweeps(1)
      settling.push(record()?.isSettling)
    }
    deepEqual(settling, [true, true, false])
    deepEqual([order.includes('converge'), record()?.consecutiveMisses], [false, 4])
  })

  it('does not probe before the converge has ended', async () => {
    const converged = makeLatch()
    await start(() => converged.opened)
    await world.advance(1_000)
    sleptMs += 3_600_000
    await sweeps(1)
    equal(probes, 1)
    converged.open()
    await world.settle()
    equal(probes, 2)
  })

  it('does not count a probe during which this host slept, and probes again after a converge', async () => {
    result = timedOut
    await start()
    await world.advance(1_000)
    meanwhile = () => {
      sleptMs += 3_600_000
      meanwhile = () => Promise.resolve()
      return Promise.resolve()
    }
    await sweeps(1)
    deepEqual(order.slice(-3), ['probe', 'converge', 'probe'])
    equal(record()?.consecutiveMisses, 2)
  })

  const hearLate = async (probe: number): Promise<void> => {
    hear[probe]?.()
    await world.settle()
  }

  it('takes its misses back when the town answers late, and counts them again when it does not', async () => {
    result = timedOut
    await start()
    await world.advance(1_000)
    await sweeps(1)
    equal(record()?.consecutiveMisses, 2)
    await hearLate(1)
    deepEqual([record()?.consecutiveMisses, record()?.isReachable, record()?.isLate], [0, true, true])
    deepEqual([last?.isLate, last?.before?.consecutiveMisses], [true, 2])
    await sweeps(3)
    deepEqual([record()?.consecutiveMisses, record()?.isReachable], [3, false])
  })

  it('hears the late answer of a sweep while the next one is under way, which then counts by itself', async () => {
    result = timedOut
    await start(undefined, 10_000)
    await world.advance(1_000)
    const ended = makeLatch()
    meanwhile = () => ended.opened
    await world.advance(10_000)
    equal(record()?.consecutiveMisses, 1)
    await hearLate(0)
    equal(record()?.consecutiveMisses, 0)
    ended.open()
    await world.settle()
    deepEqual([record()?.consecutiveMisses, probes], [1, 2])
  })

  it('ignores a late answer from before a pause of this host, and one from before its restart', async () => {
    result = timedOut
    await start()
    await world.advance(1_000)
    await sweeps(1)
    sleptMs += 3_600_000
    await hearLate(1)
    equal(record()?.consecutiveMisses, 2)
    sleptMs -= 3_600_000
    isFaulty = true
    await sweeps(1)
    isFaulty = false
    await hearLate(2)
    await world.advance(2_000)
    deepEqual([record()?.consecutiveMisses, record()?.isLate], [1, false])
  })

  it('does not count a time-out that fired late', async () => {
    result = timedOut
    await start()
    await world.advance(1_000)
    equal(record()?.consecutiveMisses, 1)
    meanwhile = () => {
      lateMs += timeoutMs + 1_500
      return Promise.resolve()
    }
    await sweeps(1)
    deepEqual([last?.result, record()?.consecutiveMisses], [notSent, 1])
    deepEqual(pauses, [])
  })
})
