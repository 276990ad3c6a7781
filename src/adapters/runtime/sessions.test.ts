import { deepEqual, equal, throws } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { refusing, runtimeOf, type TestRuntime } from '#test/support/runtime.js'
import { sweptMax } from './sessions.js'

const session = (createdMs: number, expiresMs: number, chatId: string | null = null) => ({
  gameId: '100',
  chatId,
  createdMs,
  expiresMs,
})

describe('sessions on disk', () => {
  let runtime: TestRuntime
  beforeEach(() => {
    runtime = runtimeOf()
  })
  afterEach(() => runtime.dispose())

  it('come back as they were kept, without those that have expired', () => {
    const { sessions } = runtime.db()
    sessions.keep('aa', session(1, 100, 'c1'))
    sessions.keep('bb', session(2, 50))
    runtime.reopen()
    const { outstanding } = runtime.db().sessions
    deepEqual(
      [...outstanding(49)],
      [
        ['aa', session(1, 100, 'c1')],
        ['bb', session(2, 50)],
      ],
    )
    deepEqual([...outstanding(50).keys()], ['aa'])
  })

  it('are forgotten after they expired, some at each that is kept', () => {
    const { keep, outstanding } = runtime.db().sessions
    for (let at = 0; at < sweptMax + 10; at += 1) keep(`old-${at}`, session(0, 1_000 + at))
    keep('lasting', session(0, 9_000))
    deepEqual(
      keep('new', session(2_000, 9_000)),
      Array.from({ length: sweptMax }, (_, at) => `old-${at}`),
    )
    equal(keep('newer', session(2_000, 9_000)).length, 10)
    deepEqual(keep('newest', session(2_000, 9_000)), [])
    deepEqual([...outstanding(0).keys()], ['lasting', 'new', 'newer', 'newest'])
  })

  it('are not kept twice under one hash, and not at all where the disk refuses', () => {
    const { keep, outstanding } = runtime.db().sessions
    keep('aa', session(1, 10))
    throws(() => keep('aa', session(2, 20)))
    runtime.execute(refusing('sessions'))
    throws(() => keep('bb', session(30, 40)))
    deepEqual([...outstanding(0).keys()], ['aa'], 'the sweep of a refused one is taken back too')
  })
})
