import { deepEqual, equal } from 'node:assert/strict'
import { left, right } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { Notice } from '#src/domain/lore/changes.js'
import { intentOf } from '#test/support/intent.js'
import { runtimeOf, type TestRuntime } from '#test/support/runtime.js'

const noticeOf = (key: string, changes: Partial<Notice> = {}): Notice => ({
  operation: 'pu',
  key,
  entity: 'Gosia',
  to: right({ category: 'sesje', channel: 'a' }),
  text: `text of ${key}`,
  ...changes,
})

describe('the notices of writes on record', () => {
  let runtime: TestRuntime
  beforeEach(() => {
    runtime = runtimeOf()
  })
  afterEach(() => runtime.dispose())
  const owe = (intent: string, notices: ReadonlyArray<Notice>, state: 'done' | 'lost' | null = 'done') => {
    const { intents } = runtime.db()
    intents.prepare([intentOf(intent, { notices })])
    if (state !== null) intents.settle([intent], state)
  }
  const store = () => runtime.db().deliveries
  const listed = () =>
    store()
      .list('pu', 20_000, 0)
      .map(({ entity, status, detail }) => `${entity} ${status} ${detail}`)
  const owing = () =>
    store()
      .owing()
      .map(({ intent, state }) => `${intent} ${state}`)

  it('wait beside the outbox, across a restart, until they are released in their order', () => {
    owe('a', [noticeOf('1'), noticeOf('2')])
    runtime.reopen()
    deepEqual([listed(), store().heads(0), owing()], [[], [], ['a done']])
    deepEqual(store().releaseNotices('a', 5), { ended: [], queued: 2, left: 0 })
    runtime.reopen()
    const [head] = store().heads(5)
    equal(store().find(head?.id ?? '')?.text, 'text of 1')
    deepEqual([store().list('pu', 9, 0).length, owing()], [2, []])
    deepEqual(store().releaseNotices('a', 6), { ended: [], queued: 0, left: 0 })
  })

  it('do not exist for a write of which it is not known how it ended, and may be dropped', () => {
    owe('a', [noticeOf('1')], null)
    owe('b', [noticeOf('2')], 'lost')
    deepEqual(owing(), ['b lost'])
    equal(store().dropNotices('b'), 1)
    deepEqual([owing(), listed()], [[], []])
  })

  it('are queued once for a key, whichever write is released', () => {
    owe('a', [noticeOf('1')], 'lost')
    owe('b', [noticeOf('1')])
    equal(store().releaseNotices('a', 5).queued, 1)
    equal(store().releaseNotices('b', 6).queued, 0)
    deepEqual([listed(), owing()], [['Gosia queued null'], []])
    owe('c', [noticeOf('1', { operation: 'Intel' })])
    equal(store().releaseNotices('c', 7).queued, 1, 'a key belongs to an operation')
  })

  it('end as refused where they have no channel', () => {
    owe('a', [noticeOf('1', { entity: 'Bruno', to: left('no channel') }), noticeOf('2')])
    const { ended, queued } = store().releaseNotices('a', 5)
    deepEqual([ended.map(({ entity, detail }) => [entity, detail]), queued], [[['Bruno', 'no channel']], 1])
    deepEqual(listed(), ['Gosia queued null', 'Bruno refused no channel'])
  })

  it('wait on where the outbox is full', () => {
    const many = Array.from({ length: 11_001 }, (_, at) => noticeOf(`${at}`))
    owe('a', many)
    deepEqual(store().releaseNotices('a', 5), { ended: [], queued: 11_000, left: 1 })
    deepEqual([store().releaseNotices('a', 6).left, owing()], [1, ['a done']])
    const [head] = store().heads(6)
    store().end(head?.id ?? '', { _tag: 'Sent', messageId: '1' }, 7)
    deepEqual(store().releaseNotices('a', 8), { ended: [], queued: 1, left: 0 })
  })

  it('keep the intent of their write on record', () => {
    owe('a', [noticeOf('1')])
    owe('b', [])
    equal(runtime.db().intents.forget(1_000), 1)
    deepEqual(owing(), ['a done'])
  })
})
