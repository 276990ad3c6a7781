import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { PublishRequest } from '#protocol/host/sync.js'
import { commitId } from '#test/support/commit-id.js'
import { atRest, earlyAfterMs, endOf, type ReachedOutcome, runOf, type State, unknown } from './state.js'

const setup = { publishMode: 'mr', intervalMs: 60_000, convergeMsMax: 85_000 } as const
const head = commitId('a'.repeat(40))
const requestIn = (state: PublishRequest['state']): PublishRequest => ({
  iid: 1,
  url: '',
  state,
  status: null,
})
const stateOf = (change: Partial<State>, report: Partial<State['report']> = {}): State => ({
  ...atRest,
  ...change,
  report: { ...unknown, enabled: true, unpublished: 1, ...report },
})

describe('the wait for a request of mode mr', () => {
  it('is 2 s, then twice as long each time, up to the interval', () => {
    const request = requestIn('opened')
    const waits = [0, 1, 2, 3, 4, 5, 99].map(polls => earlyAfterMs(setup, stateOf({ polls }, { request })))
    deepEqual(waits, [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
  })

  it('ends with the next tick where a person closed it, or nothing waits; a write ends it at once', () => {
    equal(earlyAfterMs(setup, stateOf({}, { request: requestIn('closed') })), null)
    equal(earlyAfterMs(setup, stateOf({}, { unpublished: 0 })), null)
    equal(earlyAfterMs(setup, stateOf({ wrote: head }, { request: requestIn('closed') })), 1_000)
  })

  it('is that of any other failure where the forge fails', () => {
    const waits = [1, 2, 9].map(failures => earlyAfterMs(setup, stateOf({ failures })))
    deepEqual(waits, [5_000, 10_000, 60_000])
  })
})

describe('the end of a converge in mode mr', () => {
  const reached: ReachedOutcome = {
    ...{ received: 0, incoming: null, merged: false, resolved: 0, parked: null },
    ...{ _tag: 'Reached', head, sent: 0, unpublished: 1, request: null, detail: null, closed: null },
  }
  const actionOf = (change: Partial<ReachedOutcome>): string | undefined =>
    endOf(runOf('timer', 0, { later: [], accepts: false }), { ...reached, ...change }, 'mr', 0)?.action

  it('tells a request that waits from one that a person closed, and from one that was merged', () => {
    equal(actionOf({ request: requestIn('opened') }), 'mr_waits_for_forge')
    equal(actionOf({}), 'mr_waits_for_forge')
    equal(actionOf({ request: requestIn('closed') }), 'request_closed')
    equal(actionOf({ request: requestIn('merged'), sent: 1, unpublished: 0 }), 'pushed')
    equal(actionOf({ unpublished: 0 }), 'up_to_date')
  })
})
