import { deepEqual, equal, notDeepEqual } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { NewDelivery } from '#src/ports/records.js'
import { runtimeOf, type TestRuntime } from '#test/support/runtime.js'

const deliveryOf = (id: string, changes: Partial<NewDelivery> = {}): NewDelivery => ({
  id,
  operation: 'message',
  category: 'sesje',
  channel: 'a',
  entity: null,
  text: `text of ${id}`,
  nonce: `n-${id}`,
  ...changes,
})
const refused = { _tag: 'Refused', code: 50_006, detail: 'empty' } as const
const dayMs = 86_400_000

describe('the outbox on record', () => {
  let runtime: TestRuntime
  beforeEach(() => {
    runtime = runtimeOf()
  })
  afterEach(() => runtime.dispose())
  const store = () => runtime.db().deliveries
  const heads = (atMs = 0) =>
    store()
      .heads(atMs)
      .map(({ id, dueMs }) => `${id} ${dueMs}`)
  const ids = () =>
    store()
      .list(null, 500, 0)
      .map(({ id }) => id)

  it('keeps a message across a restart, with the attempt that was under way', () => {
    store().enqueue(deliveryOf('one'), 5)
    equal(store().begin('one', 6), true)
    runtime.reopen()
    const found = store().find('one')
    deepEqual(
      [found?.text, found?.nonce, found?.status, found?.attempts, found?.queuedMs, found?.doubtSinceMs],
      ['text of one', 'n-one', 'queued', 1, 5, 6],
    )
    store().begin('one', 9)
    equal(store().find('one')?.doubtSinceMs, 6, 'the doubt is as old as the first attempt')
  })

  it('ends a message once, and does nothing with it afterwards', () => {
    store().enqueue(deliveryOf('one'), 1)
    equal(store().end('one', { _tag: 'Sent', messageId: '555' }, 2), true)
    equal(store().end('one', refused, 3), false)
    equal(store().begin('one', 3), false)
    equal(store().defer('one', { dueMs: 9, doubtSinceMs: null, code: null, detail: 'x' }), false)
    const { status, messageId, endedMs, detail } = store().find('one') ?? {}
    deepEqual([status, messageId, endedMs, detail], ['sent', '555', 2, null])
    deepEqual(heads(), [])
    deepEqual(store().counts(), [{ status: 'sent', count: 1 }])
  })

  it('has the oldest of each channel at its head, with its delay', () => {
    store().enqueue(deliveryOf('one'), 1)
    store().enqueue(deliveryOf('two'), 2)
    store().enqueue(deliveryOf('other', { channel: 'b' }), 3)
    store().defer('one', { dueMs: 50, doubtSinceMs: null, code: 7, detail: 'later' })
    deepEqual(heads(), ['one 50', 'other 3'])
    store().end('one', refused, 60)
    deepEqual(heads(), ['two 2', 'other 3'])
  })

  it('looks at no more than 40 channels at a time, at those that are due before the others', () => {
    for (let at = 0; at < 60; at += 1) {
      store().enqueue(deliveryOf(`n${at}`, { channel: `c${at}` }), 1)
      const channel = { category: 'sesje', channel: `c${at}` }
      if (at < 30) store().hold({ channel, untilMs: 1_000 - at, code: null, detail: 'held' })
    }
    const due = Array.from({ length: 30 }, (_, at) => `n${30 + at} 1`)
    const next = Array.from({ length: 10 }, (_, at) => `n${20 + at} ${980 - at}`)
    deepEqual(heads(1), [...next, ...due])
    deepEqual(heads(1_000).length, 40)
  })

  it('has the notices of the host before the messages of callers, however many of those wait', () => {
    for (let at = 0; at < 60; at += 1) store().enqueue(deliveryOf(`n${at}`, { channel: `c${at}` }), 1)
    store().enqueue(deliveryOf('notice', { channel: 'notices', operation: 'peer-watch' }), 2)
    deepEqual([heads(5).length, ...heads(5).slice(0, 2)], [40, 'notice 2', 'n0 1'])
  })

  it('forgets a hold that has ended', () => {
    const channel = { category: 'sesje', channel: 'a' }
    store().hold({ channel, untilMs: 100, code: null, detail: 'gone' })
    store().enqueue(deliveryOf('one'), 99)
    deepEqual(heads(99), ['one 100'])
    store().enqueue(deliveryOf('two'), 100)
    deepEqual(heads(99), ['one 99'])
  })

  it('holds one channel or all, and shows the reason at every message that waits for it', () => {
    store().enqueue(deliveryOf('one'), 1)
    store().enqueue(deliveryOf('two'), 1)
    store().enqueue(deliveryOf('other', { channel: 'b' }), 1)
    const channel = { category: 'sesje', channel: 'a' }
    store().hold({ channel, untilMs: 100, code: 50_001, detail: 'no rights' })
    deepEqual(heads(), ['one 100', 'other 1'])
    deepEqual(
      store()
        .list(null, 500, 0)
        .map(({ id, dueMs, code, detail }) => [id, dueMs, code, detail]),
      [
        ['other', 1, null, null],
        ['two', 100, 50_001, 'no rights'],
        ['one', 100, 50_001, 'no rights'],
      ],
    )
    deepEqual(heads(100), ['one 1', 'other 1'])
    store().hold({ channel: null, untilMs: 200, code: null, detail: 'no token' })
    deepEqual(heads(), ['one 200', 'other 200'])
    store().release(null)
    deepEqual(heads(), ['one 100', 'other 1'])
    store().releaseAll()
    deepEqual(heads(), ['one 1', 'other 1'])
  })

  it('lists the newest first, of one operation or of all, without their texts', () => {
    for (const id of ['one', 'two', 'three']) store().enqueue(deliveryOf(id), 1)
    store().enqueue(deliveryOf('peer', { operation: 'peer-watch' }), 1)
    deepEqual(ids(), ['peer', 'three', 'two', 'one'])
    deepEqual(
      store()
        .list('message', 2, 0)
        .map(({ id, text }) => [id, text]),
      [
        ['three', ''],
        ['two', ''],
      ],
    )
  })

  it('lists a message as it is now, however often it was listed before', () => {
    const seen = () =>
      store()
        .list(null, 500, 0)
        .map(({ id, status, attempts }) => `${id} ${status} ${attempts}`)
    store().enqueue(deliveryOf('one'), 1)
    store().enqueue(deliveryOf('two', { operation: 'peer-watch' }), 1)
    deepEqual(seen(), ['two queued 0', 'one queued 0'])
    store().begin('one', 2)
    deepEqual(seen(), ['two queued 0', 'one queued 1'])
    store().end('one', { _tag: 'Sent', messageId: '1' }, 3)
    for (let times = 0; times < 2; times += 1) deepEqual(seen(), ['two queued 0', 'one sent 1'])
    deepEqual(
      store()
        .list('peer-watch', 500, 0)
        .map(({ id }) => id),
      ['two'],
    )
    for (let at = 0; at < 60; at += 1) {
      store().enqueue(deliveryOf(`n${at}`), 4)
      store().end(`n${at}`, refused, 5)
    }
    deepEqual([seen().length, seen()[0], seen()[61]], [62, 'n59 refused 0', 'one sent 1'])
    store().enqueue(deliveryOf('late'), 91 * dayMs)
    deepEqual(seen(), ['late queued 0', 'two queued 0'], 'the ended ones were removed')
  })

  it('reads a page again after each change, and only then', () => {
    const page = () => store().list(null, 500, 9)
    const changes: Readonly<Record<string, () => unknown>> = {
      enqueue: () => store().enqueue(deliveryOf('two'), 3),
      begin: () => store().begin('two', 4),
      defer: () => store().defer('two', { dueMs: 50, doubtSinceMs: null, code: 7, detail: 'later' }),
      end: () => store().end('two', refused, 5),
      recordAnswer: () =>
        store().recordAnswer(
          { id: 'answer', attempts: 1, queuedMs: 6, end: { _tag: 'Unknown', detail: 'x' } },
          7,
        ),
    }
    store().enqueue(deliveryOf('one'), 1)
    store().end('one', { _tag: 'Sent', messageId: '1' }, 2)
    for (const [name, change] of Object.entries(changes)) {
      const before = page()
      deepEqual(page(), before, name)
      change()
      notDeepEqual(page(), before, name)
    }
    equal(page(), page())
  })

  it('keeps ended messages for 90 days, and queued ones as long as they wait', () => {
    store().enqueue(deliveryOf('sent'), 0)
    store().end('sent', { _tag: 'Sent', messageId: '1' }, 0)
    store().enqueue(deliveryOf('waits', { channel: 'b' }), 0)
    store().enqueue(deliveryOf('edge'), 90 * dayMs)
    deepEqual(ids(), ['edge', 'waits', 'sent'])
    store().enqueue(deliveryOf('past'), 90 * dayMs + 1)
    deepEqual(ids(), ['past', 'edge', 'waits'])
  })

  it('keeps 10,000 messages and queues as many', () => {
    const fill = (status: string, from: number, count = 10_000): void =>
      runtime.execute(
        `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${from + count - 1})
         INSERT INTO deliveries (id, operation, category, channel, text, nonce, status, queued_ms, due_ms, ended_ms)
         SELECT 'n' || i, 'message', 'c', 'd', '', '', '${status}', 0, 0,
           CASE '${status}' WHEN 'queued' THEN NULL ELSE 0 END FROM n`,
      )
    fill('sent', 1)
    equal(store().enqueue(deliveryOf('new'), 1), true)
    deepEqual([store().find('n1')?.id, store().find('n2')?.id], [undefined, 'n2'])
    fill('queued', 20_001)
    equal(store().enqueue(deliveryOf('full'), 1), false)
    equal(store().find('full'), null)
    equal(store().enqueue(deliveryOf('notice', { operation: 'peer-watch' }), 1), true)
    fill('queued', 40_001, 999)
    equal(store().enqueue(deliveryOf('many', { operation: 'peer-watch' }), 1), false)
  })
})
