import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { CommitId } from '#protocol/atoms.js'
import type { OwingWrite } from '#src/ports/records.js'
import { commitId } from '#test/support/commit-id.js'
import { openReleaseNotices, type PublishedTip, type ReleasePorts } from './enactment-notices.js'

const [tip, other] = [commitId('a'.repeat(40)), commitId('b'.repeat(40))]
const hourMs = 3_600_000
const writeOf = (intent: string, changes: Partial<OwingWrite> = {}): OwingWrite => ({
  intent,
  commit: tip,
  state: 'done',
  atMs: 0,
  ...changes,
})

interface Rig {
  readonly writes?: ReadonlyArray<OwingWrite>
  readonly published?: PublishedTip
  readonly has?: ReadonlyArray<CommitId>
  readonly takenBack?: ReadonlyArray<string>
  readonly whyNever?: string | null
  readonly nowMs?: number
}

const rigOf = ({
  writes = [writeOf('a')],
  published = { commit: tip, isHere: false },
  has = [tip],
  takenBack = [],
  whyNever = null,
  nowMs = 2 * hourMs,
}: Rig) => {
  let owed = [...writes]
  const calls: Array<string> = []
  const end = (what: string, intent: string): void => {
    calls.push(`${what} ${intent}`)
    owed = owed.filter(write => write.intent !== intent)
  }
  const ports: ReleasePorts = {
    store: {
      owing: () => owed,
      releaseNotices: intent => {
        end('release', intent)
        return { ended: [], queued: 1, left: 0 }
      },
      dropNotices: intent => {
        end('drop', intent)
        return 1
      },
    },
    tip: () => Promise.resolve(published),
    intents: {
      settle: ([intent = ''], verdict) => {
        calls.push(`${verdict} ${intent}`)
        return 1
      },
    },
    payOwed: () => Promise.resolve(void calls.push('pay')),
    isIn: (_, { commit }) => Promise.resolve(has.includes(commit)),
    isTakenBack: ({ intent }) => Promise.resolve(takenBack.includes(intent)),
    whyNever,
    wake: () => void calls.push('wake'),
    meter: { count: () => undefined },
    log: { info: event => void calls.push(event), warn: event => void calls.push(event) },
    nowMs: () => nowMs,
  }
  return { ports, calls, release: openReleaseNotices(ports) }
}

describe('the release of notices', () => {
  it('queues those of the commits that the remote has, and wakes the sender', async () => {
    const { calls, release } = rigOf({ writes: [writeOf('a', { commit: other }), writeOf('b')] })
    await release(true)
    deepEqual(calls, ['release b', 'wake', 'notices_queued'])
  })

  it('queues those of a commit that did not land here and is in the remote, and pays its audit lines', async () => {
    const { calls, release } = rigOf({ writes: [writeOf('a', { state: 'lost' })] })
    await release(true)
    deepEqual(calls, ['done a', 'release a', 'wake', 'notices_queued', 'pay'])
  })

  it('looks for a lost commit for an hour, and drops its notices after a converge that did not bring it', async () => {
    const lost = { writes: [writeOf('a', { state: 'lost' })], has: [] }
    for (const [nowMs, hasConverged, calls] of [
      [hourMs, true, ['pay']],
      [hourMs + 1, false, ['pay']],
      [hourMs + 1, true, ['drop a', 'unmade a', 'pay']],
    ] as const) {
      const rig = rigOf({ ...lost, nowMs })
      await rig.release(hasConverged)
      deepEqual(rig.calls, calls)
    }
    const alone = rigOf({ ...lost, published: { commit: tip, isHere: true }, nowMs: 1 })
    await alone.release(false)
    deepEqual(alone.calls, ['drop a', 'unmade a', 'pay'], 'without a remote no other host has it')
  })

  it('waits while the remote was never fetched', async () => {
    const { calls, release } = rigOf({ published: { commit: null, isHere: false } })
    await release(true)
    deepEqual(calls, [])
  })

  it('deletes those of a write that was taken back here, unless the remote has it', async () => {
    const writes = [writeOf('a', { commit: other }), writeOf('b', { commit: other }), writeOf('c')]
    const { calls, release } = rigOf({ writes, takenBack: ['a', 'c'] })
    await release(true)
    deepEqual(calls, ['drop a', 'notices_dropped', 'release c', 'wake', 'notices_queued'])
    const lost = rigOf({ writes: [writeOf('a', { state: 'lost' })], has: [], takenBack: ['a'], nowMs: 1 })
    await lost.release(true)
    deepEqual(lost.calls, ['pay'], 'a push that may still arrive')
  })

  it('reports what a host does not send that sends no messages at all', async () => {
    const { calls, release } = rigOf({ whyNever: 'off' })
    await release(false)
    deepEqual(calls, ['drop a', 'notices_not_sent'])
  })

  it('runs once more for the calls that came meanwhile, and goes on after a failure', async () => {
    const { ports, calls } = rigOf({ writes: [writeOf('a', { state: 'lost' })], has: [] })
    let looks = 0
    const release = openReleaseNotices({
      ...ports,
      tip: () => {
        looks += 1
        return looks === 1 ? Promise.reject(new Error('git')) : ports.tip()
      },
    })
    await Promise.all([release(false), release(true), release(false)])
    deepEqual([looks, calls], [2, ['notices_not_released', 'drop a', 'unmade a', 'pay']])
  })
})
