import { deepEqual, equal, throws } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { refuseWritesSql, runtimeOf, type TestRuntime } from '#test/support/runtime.js'
import { sweptMax } from './logins.js'

const login = (createdMs: number, expiresMs: number, chatId: string | null = null) => ({
  gameId: '100',
  chatId,
  createdMs,
  expiresMs,
})

describe('logins on disk', () => {
  let runtime: TestRuntime
  beforeEach(() => {
    runtime = runtimeOf()
  })
  afterEach(() => runtime.dispose())

  it('come back as they were kept, without those that have expired', () => {
    const { logins } = runtime.db()
    logins.keep('aa', login(1, 100, 'c1'))
    logins.keep('bb', login(2, 50))
    runtime.reopen()
    const { outstanding } = runtime.db().logins
    deepEqual(
      [...outstanding(49)],
      [
        ['aa', login(1, 100, 'c1')],
        ['bb', login(2, 50)],
      ],
    )
    deepEqual([...outstanding(50).keys()], ['aa'])
  })

  it('are forgotten after they expired, some at each that is kept', () => {
    const { keep, outstanding } = runtime.db().logins
    for (let at = 0; at < sweptMax + 10; at += 1) keep(`old-${at}`, login(0, 1_000 + at))
    keep('lasting', login(0, 9_000))
    deepEqual(
      keep('new', login(2_000, 9_000)),
      Array.from({ length: sweptMax }, (_, at) => `old-${at}`),
    )
    equal(keep('newer', login(2_000, 9_000)).length, 10)
    deepEqual(keep('newest', login(2_000, 9_000)), [])
    deepEqual([...outstanding(0).keys()], ['lasting', 'new', 'newer', 'newest'])
  })

  it('are not kept twice under one hash, and not at all where the disk refuses', () => {
    const { keep, outstanding } = runtime.db().logins
    keep('aa', login(1, 10))
    throws(() => keep('aa', login(2, 20)))
    runtime.execute(refuseWritesSql('sessions'))
    throws(() => keep('bb', login(30, 40)))
    deepEqual([...outstanding(0).keys()], ['aa'], 'the sweep of a refused one is taken back too')
  })
})
