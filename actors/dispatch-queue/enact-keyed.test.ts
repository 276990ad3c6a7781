import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { DispatchAttempt, DispatchOutcome } from '#protocol/chat/dispatch-attempt.js'
import type { Enactor } from '#src/ports/enactor.js'
import { enactKeyed } from './enact-keyed.js'

const attempt: DispatchAttempt = { id: '7', kind: 'close', vars: {}, attempt: 1, run: 1, deadlineMs: 0 }
const { signal } = new AbortController()

/** Records the calls of an enactor whose branch is a set of keys. */
const recordEnactor = (branch: Set<string>, isReadable = true) => {
  const calls: Array<string> = []
  const enactor: Enactor = {
    kinds: new Set(['close', 'report']),
    findEffect: ({ id }) => {
      calls.push('find')
      if (!isReadable) return Promise.resolve({ _tag: 'Unreadable', reason: 'the remote is away' })
      return Promise.resolve(branch.has(id) ? { _tag: 'Found', answer: 'Już jest.' } : { _tag: 'Absent' })
    },
    enact: ({ id }) => {
      calls.push('enact')
      branch.add(id)
      const done: DispatchOutcome = { _tag: 'Enacted', answer: 'Zamknięto.' }
      return Promise.resolve(done)
    },
  }
  return { enactor, calls }
}

describe('the enactment of a close', () => {
  it('makes its effect once, however often it is attempted and whoever was first (S23)', async () => {
    const branch = new Set<string>()
    const { enactor, calls } = recordEnactor(branch)
    const ports = { enactor, findClosedArm: () => null, monotonicMs: () => 0 }
    const first = await enactKeyed(ports, attempt, 1_000, signal)
    // The process ends before the end is on record; the attempt is repeated.
    const second = await enactKeyed(ports, { ...attempt, attempt: 2, run: 2 }, 1_000, signal)
    branch.add('8')
    const third = await enactKeyed(ports, { ...attempt, id: '8' }, 1_000, signal)
    deepEqual(
      [first, second, third].map(one => one._tag === 'Enacted' && one.answer),
      ['Zamknięto.', 'Już jest.', 'Już jest.'],
    )
    deepEqual(calls, ['find', 'enact', 'find', 'find'])
  })

  it('waits while the gate is closed', async () => {
    const { enactor, calls } = recordEnactor(new Set())
    const held = await enactKeyed(
      { enactor, findClosedArm: () => 'SyncStale', monotonicMs: () => 0 },
      attempt,
      1_000,
      signal,
    )
    deepEqual([held._tag, calls], ['Held', []])
  })

  it('makes no effect while the branch cannot be read', async () => {
    const { enactor, calls } = recordEnactor(new Set(), false)
    const failed = await enactKeyed(
      { enactor, findClosedArm: () => null, monotonicMs: () => 0 },
      attempt,
      1_000,
      signal,
    )
    deepEqual([failed, calls], [{ _tag: 'Failed', reason: 'the remote is away' }, ['find']])
  })

  it('gives the enactment what the fetch leaves of the budget', async () => {
    for (const [fetchMs, leftMs] of [
      [300, 700],
      [1_000, null],
    ] as const) {
      let [nowMs, seen]: [number, number | null] = [5, null]
      const { enactor } = recordEnactor(new Set())
      const slow: Enactor = {
        ...enactor,
        findEffect: (...args) => {
          nowMs += fetchMs
          return enactor.findEffect(...args)
        },
        enact: (run, budgetMs, ...rest) => {
          seen = budgetMs
          return enactor.enact(run, budgetMs, ...rest)
        },
      }
      const ports = { enactor: slow, findClosedArm: () => null, monotonicMs: () => nowMs }
      const outcome = await enactKeyed(ports, attempt, 1_000, signal)
      deepEqual([seen, outcome._tag], [leftMs, leftMs === null ? 'Failed' : 'Enacted'])
    }
  })
})
