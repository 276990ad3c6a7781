import { deepEqual, equal, rejects } from 'node:assert/strict'
import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import type { HeldWork, Job } from '#actors/write-gate/messages.js'
import { type AskFailure, answer, type Ref, refOf } from '#src/kernel/actor/ref.js'
import { commitId } from '#test/support/sync-hosts.js'
import { advanceThrough, holdThrough } from './advance-through.js'

const [from, to] = [commitId('a'.repeat(40)), commitId('b'.repeat(40))]
const never = new AbortController().signal
const moved: Parameters<HeldWork>[0] = () => Promise.resolve({ _tag: 'Moved' })

/** A gate that does this with each hold. */
const gateOf = (run: (work: HeldWork, end: () => void) => void): Ref<Job> =>
  refOf<Job>('write-gate', {
    deliver: () => 'accepted',
    enquire: (message, ticket) => {
      const job = message(ticket)
      if (job._tag !== 'Hold') throw new Error(`${job._tag} was not expected`)
      run(job.work, () => void answer(job.replyTo, { _tag: 'Released' }))
    },
  })
const failing = (failure: AskFailure): Ref<Job> =>
  refOf<Job>('write-gate', { deliver: () => 'accepted', enquire: (_, ticket) => ticket.fail(failure) })

/** A clock whose one alarm rings when it is told to. */
const alarm = () => {
  let ring: () => void = () => undefined
  return {
    clock: {
      after: (_: number, run: () => void) => {
        ring = run
        return () => {
          ring = () => undefined
        }
      },
    },
    ring: () => ring(),
  }
}
const untilAborted = (signal: AbortSignal): Promise<string> =>
  new Promise(resolve => signal.addEventListener('abort', () => resolve('given up'), { once: true }))

describe('a move of the branch through the gate', () => {
  it('tells a gate that did nothing from one of which nobody knows', async () => {
    const outcomeOf = async (tag: 'Full' | 'Gone' | 'Faulted' | 'Timeout'): Promise<string> => {
      const outcome = await advanceThrough(failing({ _tag: tag, actor: 'write-gate' }))(from, to, 'sync')
      return isLeft(outcome) ? outcome.left._tag : 'Moved on'
    }
    deepEqual(
      [
        await outcomeOf('Full'),
        await outcomeOf('Gone'),
        await outcomeOf('Faulted'),
        await outcomeOf('Timeout'),
      ],
      ['Away', 'Away', 'Unknown', 'Unknown'],
    )
  })
})

describe('work in a hold of the gate', () => {
  it('moves the branch by the gate and returns its result', async () => {
    const gate = gateOf((work, end) => void work(moved, never).then(end))
    const hold = holdThrough(gate, alarm().clock)
    deepEqual(await hold(advance => advance(from, to, 'sync'), 1_000), right(left({ _tag: 'Moved' })))
  })

  it('is given up when its time is over', async () => {
    const { clock, ring } = alarm()
    const gate = gateOf((work, end) => {
      void work(moved, never).then(end)
      ring()
    })
    deepEqual(await holdThrough(gate, clock)((_, signal) => untilAborted(signal), 1_000), right('given up'))
  })

  it('never begins in a gate that is full, nor after its asker has gone', async () => {
    const full = holdThrough(failing({ _tag: 'Full', actor: 'write-gate' }), alarm().clock)
    deepEqual(await full(() => Promise.resolve(1), 1_000), left('the write gate is away: Full'))
    const works: Array<HeldWork> = []
    const late = refOf<Job>('write-gate', {
      deliver: () => 'accepted',
      enquire: (message, ticket) => {
        const job = message(ticket)
        if (job._tag === 'Hold') works.push(job.work)
        ticket.fail({ _tag: 'Timeout', actor: 'write-gate' })
      },
    })
    let begun = 0
    const count = (): Promise<void> => {
      begun += 1
      return Promise.resolve()
    }
    equal(isLeft(await holdThrough(late, alarm().clock)(count, 1_000)), true)
    await works[0]?.(moved, never)
    equal(begun, 0)
  })

  it('is waited for to its end where the gate faults meanwhile', async () => {
    const faulting = refOf<Job>('write-gate', {
      deliver: () => 'accepted',
      enquire: (message, ticket) => {
        const job = message(ticket)
        if (job._tag === 'Hold') void job.work(moved, never)
        ticket.fail({ _tag: 'Faulted', actor: 'write-gate' })
      },
    })
    const hold = holdThrough(faulting, alarm().clock)
    deepEqual(await hold((_, signal) => untilAborted(signal), 1_000), right('given up'))
  })

  it('fails as its work fails', async () => {
    const gate = gateOf((work, end) => void work(moved, never).catch(end))
    const hold = holdThrough(gate, alarm().clock)
    await rejects(
      hold(() => Promise.reject(new Error('no room')), 1_000),
      /no room/,
    )
  })
})
