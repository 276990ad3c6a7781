import { deepEqual, equal } from 'node:assert/strict'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { DispatchAttempt } from '#protocol/chat/dispatch.js'
import {
  answerLifeMs,
  dispatchGiveUpMs,
  dispatchLifeMs,
  dispatchRetentionMs,
} from '#src/domain/dispatch/check-dispatch.js'
import type { DispatchStore } from '#src/ports/records.js'
import { runsOf } from '#test/support/runs.js'
import { runtimeOf, type TestRuntime } from '#test/support/runtime.js'
import { openSqlite } from './sqlite.js'

const enacted = { state: 'enacted', reason: null, answer: 'Oto PU.' } as const
const vars = { SVC_QUERY_INTENT: 'pu', SVC_QUERY_CHAT_ID: '5' }

describe('the interactions on record', () => {
  let runtime: TestRuntime
  const store = (): DispatchStore => runtime.db().dispatches
  const add = (id: string, nowMs = 1, sealedReply: string | null = 'sealed'): boolean =>
    store().enqueue({ id, kind: 'query', vars, sealedReply }, nowMs)
  const begin = (nowMs = 1): DispatchAttempt => {
    const begun = store().begin(nowMs)
    if (begun === null) throw new Error('nothing is due')
    return begun
  }
  beforeEach(() => {
    runtime = runtimeOf()
  })
  afterEach(() => runtime.dispose())

  it('accept an id once, across restarts and behind its end (S20)', () => {
    equal(add('7'), true)
    equal(add('7'), false)
    runtime.reopen()
    equal(store().findKind('7'), 'query')
    equal(add('7'), false)
    store().end(begin(), enacted, 10)
    equal(add('7'), false)
    equal(store().prune(10 + dispatchRetentionMs - 1), 0)
    equal(add('7'), false)
    equal(store().prune(10 + dispatchRetentionMs), 1)
    equal(store().findKind('7'), null)
  })

  it('are begun in the order in which they are due', () => {
    for (const id of ['3', '1', '2']) add(id)
    const first = begin()
    deepEqual(first, { id: '3', kind: 'query', vars, attempt: 1, run: 1, deadlineMs: 1 + dispatchGiveUpMs })
    store().defer(first, 100, true, 'busy')
    deepEqual([begin().id, begin().id, store().begin(99), store().nextMs()], ['1', '2', null, 100])
    deepEqual([begin(100).attempt, store().nextMs()], [2, null])
  })

  it('end by the run that began them alone', () => {
    add('1')
    const first = begin()
    equal(store().defer(first, 1, false, 'the gate is closed'), true)
    const second = begin()
    deepEqual([first.attempt, second.attempt, second.run], [1, 1, 2])
    equal(store().end(first, enacted, 5), false)
    equal(store().end(second, enacted, 5), true)
    for (const late of [first, second]) {
      equal(store().end(late, { ...enacted, state: 'failed' }, 6), false)
      equal(store().defer(late, 1, true, ''), false)
    }
    deepEqual(store().counts().query, { accepted: 1, enacted: 1, failed: 0, refused: 0 })
  })

  it('are queued again at a start, with the attempt that was cut off counted', () => {
    add('1')
    begin()
    runtime.reopen()
    equal(store().begin(5), null)
    equal(store().recover(5), 1)
    equal(begin(5).attempt, 2)
  })

  it('are due within the life of an interaction after a clock that went back', () => {
    add('1', 1_000_000_000)
    equal(store().recover(50), 0)
    equal(store().nextMs(), 50)
    deepEqual(begin(50).deadlineMs, 50 + dispatchGiveUpMs)
  })

  it('fail at their deadline with the reason of their last attempt, and no later (L4)', () => {
    add('1')
    add('2')
    store().defer(begin(), 9e12, true, 'the gate is closed')
    equal(store().nextMs(), 1)
    deepEqual(store().expire(dispatchGiveUpMs, 'no turn', 'Nie zdążono.'), [])
    deepEqual(
      store()
        .expire(1 + dispatchGiveUpMs, 'no turn', 'Nie zdążono.')
        .map(({ id }) => id)
        .sort(),
      ['1', '2'],
    )
    equal(store().nextMs(), null)
    deepEqual(
      store()
        .owed(9)
        .map(({ id, answer }) => [id, answer])
        .sort(),
      [
        ['1', 'Nie zdążono.'],
        ['2', 'Nie zdążono.'],
      ],
    )
    deepEqual(answerLifeMs > dispatchLifeMs, true)
  })

  it('keep an answer and where it goes to until it is settled', () => {
    add('1')
    add('2', 1, null)
    add('3')
    store().end(begin(), enacted, 2)
    store().end(begin(), enacted, 3)
    store().end(begin(), { state: 'failed', reason: 'x', answer: null }, 4)
    deepEqual(store().owed(9), [
      { id: '1', kind: 'query', answer: 'Oto PU.', sealedReply: 'sealed', acceptedMs: 1, dueMs: 2, tries: 0 },
    ])
    store().settle([{ id: '1', givenUp: null }], 5)
    runtime.reopen()
    deepEqual(store().owed(9), [])
  })

  it('keep no answer and no token that is settled, sent or given up (S34)', () => {
    for (const id of ['1', '2', '3']) add(id)
    for (const _ of ['1', '2', '3']) store().end(begin(), enacted, 2)
    const givenUp = { id: '2', attempts: 1, queuedMs: 1, end: { _tag: 'Unknown', detail: 'x' } } as const
    store().settle(
      [
        { id: '1', givenUp: null },
        { id: '2', givenUp },
      ],
      5,
    )
    const bare = openSqlite(join(runtime.state, 'runtime.db'), 0)
    const rows = bare.prepare('SELECT id, answer, sealed_reply FROM dispatches ORDER BY id').all()
    bare.close()
    deepEqual(rows, [
      { id: '1', answer: null, sealed_reply: null },
      { id: '2', answer: null, sealed_reply: null },
      { id: '3', answer: 'Oto PU.', sealed_reply: 'sealed' },
    ])
  })

  it('count what was accepted as what ended and what waits, whatever comes (S24)', () => {
    let id = 0
    const step = fc.constantFrom(
      'add',
      'begin',
      'end',
      'fail',
      'refuse',
      'defer',
      'expire',
      'prune',
      'reopen',
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), steps => {
        let [nowMs, last]: [number, DispatchAttempt | null] = [1, null]
        let before = store().counts().query
        for (const what of steps) {
          nowMs += 60_000
          if (what === 'add') add(String((id += 1)), nowMs)
          else if (what === 'begin') last = store().begin(nowMs) ?? last
          else if (what === 'defer' && last !== null) store().defer(last, nowMs, true, 'x')
          else if (what === 'expire') store().expire(nowMs, 'x', 'y')
          else if (what === 'prune') store().prune(nowMs + dispatchRetentionMs)
          else if (what === 'reopen') {
            runtime.reopen()
            store().recover(nowMs)
          } else if (last !== null) {
            const state = what === 'end' ? 'enacted' : what === 'fail' ? 'failed' : 'refused'
            store().end(last, { ...enacted, state }, nowMs)
          }
          const { accepted, ...ends } = store().counts().query
          equal(accepted, ends.enacted + ends.failed + ends.refused + store().waiting())
          for (const [name, count] of Object.entries({ accepted, ...ends }))
            equal(count >= Reflect.get(before, name), true)
          before = { accepted, ...ends }
        }
        for (const one of Array.from({ length: 40 }, () => store().begin(nowMs + 1e9)))
          if (one !== null) store().end(one, enacted, nowMs)
        store().recover(nowMs)
        for (let one = store().begin(nowMs + 1e9); one !== null; one = store().begin(nowMs + 1e9))
          store().end(one, enacted, nowMs)
        equal(store().waiting(), 0)
      }),
      { numRuns: runsOf(40) },
    )
  })

  it('tell the kinds that run and the age of the oldest', () => {
    add('1', 10)
    store().enqueue({ id: '2', kind: 'close', vars: {}, sealedReply: null }, 20)
    begin(30)
    deepEqual([store().running(), store().oldestMs('query'), store().oldestMs('close')], [['query'], 10, 20])
    equal(store().oldestMs('report'), null)
  })
})
