import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { startTrack, trackProbe } from '#src/domain/fleet/peers.js'
import { requireCard } from '#test/support/fleet/peers.js'
import { sleepMeter } from './host-clocks.js'
import { makePeerTable } from './peers.js'

const missOf = (town: string) => {
  const result = { _tag: 'Failed', kind: 'fleet-status', why: 'refused' } as const
  const { record } = trackProbe(startTrack(town), { result, atMs: 0, monotonicMs: 0, elapsedMs: 1 })
  if (record === null) throw new Error('no record')
  return record
}

const tableWith = (...towns: ReadonlyArray<string>) => {
  const table = makePeerTable(() => 0)
  for (const town of towns) table.set(missOf(town))
  return table
}

describe('the peer table', () => {
  it('suspects no town after a pause of this host, and keeps the misses (S8)', () => {
    const table = tableWith('Deyja', 'Erathia')
    table.pause()
    deepEqual(
      [...table.views()].map(([town, { consecutiveMisses }]) => [town, consecutiveMisses]),
      [
        ['Deyja', 0],
        ['Erathia', 0],
      ],
    )
    deepEqual(
      [...table.records().values()].map(({ consecutiveMisses }) => consecutiveMisses),
      [1, 1],
    )
    equal(table.healthScore(), 1)
  })

  it('counts the misses from 0 when a watcher begins again', () => {
    const table = tableWith('Deyja')
    table.restart('Deyja')
    table.restart('Nighon')
    deepEqual(
      [...table.records()].map(([town, { consecutiveMisses }]) => [town, consecutiveMisses]),
      [['Deyja', 0]],
    )
  })

  it('lets the age of a sync go on from the probe that read its card', () => {
    let nowMs = 5_000
    const table = makePeerTable(() => nowMs)
    const ages = () => [...table.views().values()].map(({ syncAgeMinutes }) => syncAgeMinutes)
    const probe = { atMs: 0, monotonicMs: 0, elapsedMs: 12 }
    const answer = { _tag: 'Answered', kind: 'fleet-status', card: requireCard('Deyja') } as const
    const miss = { _tag: 'Failed', kind: 'fleet-status', why: 'refused' } as const
    const answered = trackProbe(startTrack('Deyja'), { ...probe, result: answer })
    if (answered.record === null) throw new Error('no record')
    table.set(answered.record)
    deepEqual(ages(), [3])
    nowMs += 90_000
    deepEqual(ages(), [4.5])
    const { record } = trackProbe(answered, { ...probe, result: miss })
    if (record !== null) table.set(record)
    table.pause()
    table.restart('Deyja')
    nowMs += 31_000
    deepEqual(ages(), [5])
    table.set({ ...answered.record, card: requireCard('Deyja') })
    deepEqual(ages(), [3])
  })

  describe('in a network of its own', () => {
    const sweepMs = 60_000
    const rig = () => {
      const said: Array<boolean> = []
      let nowMs = 0
      const table = makePeerTable(
        () => nowMs,
        sweepMs,
        isIsolated => void said.push(isIsolated),
      )
      return { table, said, pass: (ms: number) => void (nowMs += ms) }
    }
    const reached = (town: string) => ({ ...missOf(town), isReachable: true, consecutiveMisses: 0 })

    it('is isolated where all towns and the remote fail within a sweep, until one of them answers', () => {
      for (const isRemoteFirst of [true, false])
        for (const end of ['town', 'remote', 'forge'] as const) {
          const { table, said, pass } = rig()
          table.set(missOf('Deyja'))
          table.set(reached('Avlee'))
          if (isRemoteFirst) table.noteReach('remote', false)
          equal(table.isIsolated(), false)
          pass(30_000)
          table.set(missOf('Avlee'))
          table.noteReach('forge', false)
          if (!isRemoteFirst) table.noteReach('remote', false)
          equal(table.isIsolated(), true)
          pass(10 * sweepMs)
          equal(table.isIsolated(), true)
          if (end === 'town') table.set(reached('Deyja'))
          else table.noteReach(end, true)
          deepEqual([table.isIsolated(), said], [false, [true, false]])
        }
    })

    it('is not isolated where the remote answers, where there is none, and after a failure of it long ago', () => {
      const two = rig()
      two.table.set(missOf('Deyja'))
      equal(two.table.isIsolated(), false, 'no remote')
      two.table.noteReach('remote', true)
      equal(two.table.isIsolated(), false)
      const { table, pass } = rig()
      table.noteReach('remote', false)
      pass(2 * sweepMs)
      table.set(missOf('Deyja'))
      equal(table.isIsolated(), false)
    })

    it('is not isolated without a town', () => {
      const { table } = rig()
      table.noteReach('remote', false)
      equal(table.isIsolated(), false)
      table.set(missOf('Deyja'))
      equal(table.isIsolated(), true)
      table.forget('Deyja')
      equal(table.isIsolated(), false)
    })
  })

  it('forgets one town', () => {
    const table = tableWith('Deyja', 'Erathia')
    table.forget('Deyja')
    deepEqual([...table.records().keys()], ['Erathia'])
  })
})

describe('the sleep of the machine', () => {
  it('is the uptime that the monotonic clock does not show', () => {
    let [monotonicMs, uptimeMs, wallMs] = [1_000, 50_000, 0]
    const clock = { monotonicMs: () => monotonicMs, nowMs: () => wallMs }
    const sleptMs = sleepMeter(() => ({ monotonicMs, uptimeMs, wallMs }), clock)
    monotonicMs += 5_000
    uptimeMs += 6_000
    equal(sleptMs(), 0)
    uptimeMs += 3_600_000
    equal(sleptMs(), 0, 'the reading of this second')
    wallMs += 3_600_000
    equal(sleptMs(), 3_601_000, 'the wall clock went on while the monotonic clock stood still')
    monotonicMs += 1_000
    uptimeMs += 3_000_000
    equal(sleptMs(), 6_600_000)
  })
})
