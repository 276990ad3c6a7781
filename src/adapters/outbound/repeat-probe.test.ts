import { deepEqual, equal } from 'node:assert/strict'
import { beforeEach, describe, it } from 'mocha'
import { type AnsweredProbe, attemptsMost, type ProbeResult } from '#src/domain/fleet/peers.js'
import { type VirtualClock, virtualClock } from '#test/support/kernel/virtual-clock.js'
import { type RepeatedProbe, repeatProbe, type SendAttempt } from './probe-peer.js'

const timeoutMs = 1_000
const lateMs = 400
const answered: AnsweredProbe = { _tag: 'Answered', kind: 'health', card: null }
const timedOut: ProbeResult = { _tag: 'Failed', kind: 'fleet-status', why: 'timeout' }
const refused: ProbeResult = { _tag: 'Failed', kind: 'fleet-status', why: 'refused' }
const unsent: ProbeResult = { _tag: 'NotSent' }

describe('a probe of several requests', () => {
  let clock: VirtualClock
  let sentMs: ReadonlyArray<number>
  let aborted: number
  let ended: RepeatedProbe | null
  let late: ReadonlyArray<RepeatedProbe>
  const times = {
    timeoutMs,
    lateMs,
    onLate: (one: RepeatedProbe): void => {
      late = [...late, one]
    },
  }
  const stop = (): AbortController => new AbortController()

  /** Starts a probe whose n-th request ends as `plan` says, or has no answer within its time-out. */
  const probe = (plan: (at: number) => readonly [ProbeResult, number] | null, signal = stop().signal) => {
    const send: SendAttempt = (restMs, others) => {
      const [result, afterMs] = plan(sentMs.length) ?? [timedOut, restMs]
      sentMs = [...sentMs, clock.monotonicMs()]
      others.addEventListener('abort', () => {
        aborted += 1
      })
      return new Promise(resolve => clock.after(afterMs, () => resolve(result)))
    }
    void repeatProbe(clock, times, send, signal).then(one => {
      ended = one
    })
  }

  beforeEach(() => {
    clock = virtualClock(0)
    ;[sentMs, aborted, ended, late] = [[], 0, null, []]
  })

  it('sends one request to a town that answers', async () => {
    probe(() => [answered, 20])
    await clock.advance(timeoutMs)
    deepEqual([sentMs, ended], [[0], { result: answered, roundTripMs: 20 }])
  })

  it('asks again each tenth of the time-out, and takes the round trip of the request that was answered', async () => {
    probe(at => (at === 2 ? [answered, 30] : null))
    await clock.advance(timeoutMs)
    deepEqual([sentMs, aborted], [[0, 100, 200], 2])
    deepEqual(ended, { result: answered, roundTripMs: 30 })
  })

  it('takes the late answer of an earlier request', async () => {
    probe(at => (at === 0 ? [answered, 450] : null))
    await clock.advance(timeoutMs)
    deepEqual([sentMs.length, ended], [5, { result: answered, roundTripMs: 450 }])
  })

  it('fails within the time-out after ten requests without an answer', async () => {
    probe(() => null)
    await clock.advance(timeoutMs - 1)
    deepEqual([sentMs.length, ended], [attemptsMost, null])
    await clock.advance(1)
    deepEqual(ended, { result: timedOut, roundTripMs: timeoutMs })
  })

  it('leaves the first request open after it has failed, and hears its late answer', async () => {
    probe(at => (at === 0 ? [answered, timeoutMs + 200] : null))
    await clock.advance(timeoutMs)
    deepEqual([ended?.result, aborted, late], [timedOut, attemptsMost - 1, []])
    await clock.advance(200)
    deepEqual(late, [{ result: answered, roundTripMs: timeoutMs + 200 }])
  })

  it('hears the answer that had begun when it failed', async () => {
    const send: SendAttempt = (restMs, _, onAnswering) => {
      sentMs = [...sentMs, clock.monotonicMs()]
      if (sentMs.length !== 3) return new Promise(resolve => clock.after(restMs, () => resolve(timedOut)))
      clock.after(50, onAnswering)
      return new Promise(resolve => clock.after(1_000, () => resolve(answered)))
    }
    void repeatProbe(clock, times, send, stop().signal)
    await clock.advance(timeoutMs + lateMs)
    deepEqual([sentMs.length, late], [3, [{ result: answered, roundTripMs: 1_000 }]])
  })

  it('takes no refusal, no time-out and no answer after the signal for a late answer', async () => {
    for (const [at, plan] of [refused, timedOut, answered].entries()) {
      const stopped = stop()
      probe(() => [plan, timeoutMs + 200], stopped.signal)
      await clock.advance(timeoutMs + 100)
      if (at === 2) stopped.abort()
      await clock.advance(lateMs)
    }
    deepEqual(late, [])
  })

  it('hears no late answer where none is asked for', async () => {
    const send: SendAttempt = () =>
      new Promise(resolve => clock.after(timeoutMs + 1, () => resolve(answered)))
    void repeatProbe(clock, { ...times, lateMs: 0 }, send, stop().signal)
    await clock.advance(2 * timeoutMs)
    deepEqual(late, [])
  })

  it('fails at once where the machine of the town refuses', async () => {
    probe(() => [refused, 5])
    await clock.advance(5)
    deepEqual([sentMs.length, ended?.result], [1, refused])
  })

  it('sends no other request to a town that has begun to answer', async () => {
    const send: SendAttempt = (restMs, _, onAnswering) => {
      sentMs = [...sentMs, clock.monotonicMs()]
      if (sentMs.length === 2) clock.after(50, onAnswering)
      return new Promise(resolve => clock.after(restMs, () => resolve(timedOut)))
    }
    void repeatProbe(clock, times, send, stop().signal).then(one => {
      ended = one
    })
    await clock.advance(timeoutMs)
    deepEqual([sentMs, ended?.result], [[0, 100], timedOut])
  })

  it('is not sent where no request left this host', async () => {
    probe(() => [unsent, 0])
    await clock.advance(timeoutMs)
    deepEqual([sentMs.length, ended?.result], [attemptsMost, unsent])
  })

  it('sends no request after the time-out, where a timer comes late', async () => {
    let behindMs = 0
    const slow = { ...clock, monotonicMs: () => clock.monotonicMs() + behindMs }
    const send: SendAttempt = restMs =>
      new Promise(resolve => {
        sentMs = [...sentMs, restMs]
        clock.after(50, () => resolve(timedOut))
      })
    void repeatProbe(slow, times, send, stop().signal).then(one => {
      ended = one
    })
    behindMs = timeoutMs
    await clock.advance(timeoutMs)
    deepEqual([sentMs, ended?.result], [[timeoutMs + lateMs], timedOut])
  })

  it('ends with the signal', async () => {
    const stopped = stop()
    probe(() => null, stopped.signal)
    await clock.advance(250)
    stopped.abort()
    await clock.advance(timeoutMs)
    equal(sentMs.length, 3)
    deepEqual([aborted, ended?.result], [3, unsent])
  })
})
