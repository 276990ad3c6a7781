import { deepEqual, equal, rejects } from 'node:assert/strict'
import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import type { GateRequest, LeaseOver } from '#actors/write-gate/messages.js'
import { type AskFailure, answerAsk, type Ref, type ReplyTo, refOf } from '#src/kernel/actor/ref.js'
import { commitId } from '#test/support/commit-id.js'
import { makeAdvanceBranch, makeHoldGate } from './repository-sync.js'

const [from, to] = [commitId('a'.repeat(40)), commitId('b'.repeat(40))]
/**
 * Records what a gate was asked, with its answers to holds, moves and followers; null leaves the ask open.
 */
interface FakeGate {
  readonly gate: Ref<GateRequest>
  readonly asked: ReadonlyArray<string>
  /** Ends the lease, like a gate that stops or revokes it. */
  readonly lapse: () => void
}

const fakeGate = (failHold: AskFailure | null = null): FakeGate => {
  const asked: Array<string> = []
  const followers: Array<ReplyTo<LeaseOver>> = []
  const lapse = (): void => {
    for (const one of followers.splice(0)) answerAsk(one, { _tag: 'LeaseOver' })
  }
  const gate = refOf<GateRequest>('write-gate', {
    deliver: message => {
      asked.push(message._tag)
      if (message._tag === 'Release') lapse()
      return 'accepted'
    },
    enquire: (make, ticket) => {
      const message = make(ticket)
      asked.push(message._tag)
      if (message._tag === 'Hold' && failHold !== null) ticket.fail(failHold)
      else if (message._tag === 'Hold') answerAsk(message.replyTo, { _tag: 'Held' })
      else if (message._tag === 'Follow') followers.push(message.replyTo)
      else if (message._tag === 'Advance') answerAsk(message.replyTo, { _tag: 'Moved' })
    },
  })
  return { gate, asked, lapse }
}
const makeFailingGate = (failure: AskFailure): Ref<GateRequest> =>
  refOf<GateRequest>('write-gate', {
    deliver: () => 'accepted',
    enquire: (_, ticket) => ticket.fail(failure),
  })

/** A clock with one alarm, which the test triggers. */
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
      const outcome = await makeAdvanceBranch(makeFailingGate({ _tag: tag, actor: 'write-gate' }))(
        from,
        to,
        'sync',
      )
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

describe('work under a lease of the gate', () => {
  it('moves the branch by the gate, returns its result, and gives the lease back', async () => {
    const { gate, asked } = fakeGate()
    const hold = makeHoldGate(gate, alarm().clock)
    deepEqual(await hold(advance => advance(from, to, 'sync'), 1_000), right(left({ _tag: 'Moved' })))
    deepEqual(asked, ['Hold', 'Follow', 'Advance', 'Release'])
  })

  it('is given up when its time is over, and the lease given back at once', async () => {
    const { clock, ring } = alarm()
    const { gate, asked } = fakeGate()
    const work = makeHoldGate(gate, clock)(async (_, signal) => {
      const given = untilAborted(signal)
      ring()
      deepEqual(asked, ['Hold', 'Follow', 'Release'])
      return given
    }, 1_000)
    deepEqual(await work, right('given up'))
  })

  it('never begins where the gate is full; one that is too late is told that nobody waits', async () => {
    let begun = 0
    const count = (): Promise<void> => {
      begun += 1
      return Promise.resolve()
    }
    const full = fakeGate({ _tag: 'Full', actor: 'write-gate' })
    deepEqual(
      await makeHoldGate(full.gate, alarm().clock)(count, 1_000),
      left('the write gate did not answer: Full'),
    )
    const late = fakeGate({ _tag: 'Timeout', actor: 'write-gate' })
    equal(isLeft(await makeHoldGate(late.gate, alarm().clock)(count, 1_000)), true)
    deepEqual([begun, late.asked], [0, ['Hold', 'Release']])
  })

  it('is waited for to its end where the gate ends meanwhile', async () => {
    const { gate, lapse } = fakeGate()
    const hold = makeHoldGate(gate, alarm().clock)
    const given = hold((_, signal) => {
      const until = untilAborted(signal)
      lapse()
      return until
    }, 1_000)
    deepEqual(await given, right('given up'))
  })

  it('fails as its work fails, and gives the lease back', async () => {
    const { gate, asked } = fakeGate()
    const hold = makeHoldGate(gate, alarm().clock)
    await rejects(
      hold(() => Promise.reject(new Error('no room')), 1_000),
      /no room/,
    )
    equal(asked.at(-1), 'Release')
  })

  it('moves nothing once the lease is over', async () => {
    const gate = refOf<GateRequest>('write-gate', {
      deliver: () => 'accepted',
      enquire: (make, ticket) => {
        const message = make(ticket)
        if (message._tag === 'Hold') answerAsk(message.replyTo, { _tag: 'Held' })
        if (message._tag === 'Advance') answerAsk(message.replyTo, { _tag: 'Lapsed' })
      },
    })
    const outcome = await makeHoldGate(gate, alarm().clock)(advance => advance(from, to, 'sync'), 1_000)
    deepEqual(outcome, right(left({ _tag: 'Away', reason: 'the lease of the write gate has ended' })))
  })
})
