import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { CommitId } from '#protocol/atoms.js'
import type { DispatchAttempt, DispatchOutcome } from '#protocol/chat/dispatch.js'
import { commitId } from '#test/support/commit-id.js'
import { enactKeyed, type KeyedPorts } from './chat/dispatch-queue.js'

const attempt: DispatchAttempt = { id: '7', kind: 'close', vars: {}, attempt: 1, run: 1, deadlineMs: 0 }
const { signal } = new AbortController()
const commit: CommitId = commitId('a'.repeat(40))

interface Rig {
  readonly ports: KeyedPorts
  readonly calls: ReadonlyArray<string>
}

/** Records the calls of an enactor whose branch is a set of keys; a look takes `lookMs`. */
const openRig = (
  branch: Set<string>,
  { isReadable = true, arm = null as string | null, lookMs = 0 } = {},
): Rig => {
  const calls: Array<string> = []
  let nowMs = 0
  return {
    calls,
    ports: {
      nowMs: () => nowMs,
      findClosedArm: () => arm,
      findEffect: (id, budgetMs) => {
        calls.push(`find within ${budgetMs}`)
        nowMs += lookMs
        if (!isReadable) return Promise.resolve({ _tag: 'Unreadable', reason: 'the remote is away' })
        return Promise.resolve(branch.has(id) ? { _tag: 'Found', commit } : { _tag: 'Absent' })
      },
      enactor: {
        enact: ({ id }, budgetMs) => {
          calls.push(`enact within ${budgetMs}`)
          branch.add(id)
          const done: DispatchOutcome = { _tag: 'Enacted', answer: 'Zamknięto.' }
          return Promise.resolve(done)
        },
      },
    },
  }
}

describe('the enactment of a close', () => {
  it('makes its effect once, however often it is attempted and whoever was first (S23)', async () => {
    const branch = new Set<string>()
    const { ports, calls } = openRig(branch)
    const first = await enactKeyed(ports, attempt, 1_000, signal)
    // The process ends before the end is on record; the attempt is repeated.
    const second = await enactKeyed(ports, { ...attempt, attempt: 2, run: 2 }, 1_000, signal)
    branch.add('8')
    const third = await enactKeyed(ports, { ...attempt, id: '8', kind: 'report' }, 1_000, signal)
    deepEqual(
      [first, second, third].map(one => one._tag === 'Enacted' && one.answer),
      ['Zamknięto.', 'Zamknięcie tej sesji jest już zapisane.', 'To zgłoszenie jest już zapisane.'],
    )
    const find = 'find within 1000'
    deepEqual(calls, [find, 'enact within 1000', find, find])
  })

  it('waits while the gate is closed', async () => {
    const { ports, calls } = openRig(new Set(), { arm: 'SyncStale' })
    const held = await enactKeyed(ports, attempt, 1_000, signal)
    deepEqual([held._tag, calls], ['Held', []])
  })

  it('makes no effect while the branch cannot be read', async () => {
    const { ports, calls } = openRig(new Set(), { isReadable: false })
    const failed = await enactKeyed(ports, attempt, 1_000, signal)
    deepEqual([failed, calls], [{ _tag: 'Failed', reason: 'the remote is away' }, ['find within 1000']])
  })

  it('leaves the effect the time that the look did not use, and makes none without time (L4)', async () => {
    const quick = openRig(new Set(), { lookMs: 400 })
    await enactKeyed(quick.ports, attempt, 1_000, signal)
    deepEqual(quick.calls, ['find within 1000', 'enact within 600'])
    const slow = openRig(new Set(), { lookMs: 1_000 })
    const failed = await enactKeyed(slow.ports, attempt, 1_000, signal)
    deepEqual([failed._tag, slow.calls], ['Failed', ['find within 1000']])
  })
})
