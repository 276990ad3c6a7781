import { deepEqual, equal } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { Snowflake } from '#protocol/atoms.js'
import type { ChatCall, Heard } from '#protocol/chat/platform.js'
import { answerLifeMs } from '#src/domain/dispatch/check-dispatch.js'
import { type Ref, tell } from '#src/kernel/actor/ref.js'
import { tellWhenRoom } from '#src/kernel/actor/tell-when-room.js'
import { kernelWorld } from '#test/support/kernel/kernel-world.js'
import { runtimeOf, type TestRuntime } from '#test/support/runtime.js'
import {
  type FollowUpMessage,
  type FollowUpPorts,
  followUpCourier,
  openAnswerCalls,
} from './follow-up-courier.js'

const applicationId = '42'
const answerOf = (status: number, body: object = {}): Heard => ({
  _tag: 'Answer',
  status,
  headers: {},
  text: JSON.stringify(body),
})

describe('the follow-up courier', () => {
  let runtime: TestRuntime
  beforeEach(() => {
    runtime = runtimeOf()
  })
  afterEach(() => runtime.dispose())

  /** A courier on virtual time over a real runtime database; `answers` are those of the platform, in order. */
  const start = async (answers: Array<Heard | Promise<Heard>> = []) => {
    const world = kernelWorld()
    const calls: Array<ChatCall> = []
    const outcomes: Array<string> = []
    const store = () => runtime.db().dispatches
    let diskCode: string | null = null
    const door: { ref: Ref<FollowUpMessage> | null } = { ref: null }
    const answerCalls = openAnswerCalls({
      store: {
        owed: (...args) => store().owed(...args),
        overdue: (...args) => store().overdue(...args),
        postpone: (...args) => store().postpone(...args),
        settle: (...args) => {
          if (diskCode !== null) throw Object.assign(new Error('injected'), { code: diskCode })
          store().settle(...args)
        },
      },
      groupCommit: write => runtime.db().groupCommit(write),
      call: call => {
        calls.push(call)
        return Promise.resolve(answers.shift() ?? answerOf(200, { id: '555', channel_id: '7' }))
      },
      openTarget: (_id, token) =>
        token === 'broken' || !Snowflake.is(applicationId) ? null : { applicationId, token },
      queueNowMs: () => world.clock.nowMs(),
      nowMs: () => world.clock.nowMs(),
      sent: ({ id }) => void outcomes.push(`${id} sent`),
      failed: ({ id }, { why }) => void outcomes.push(`${id} ${why}`),
      unrecorded: error => void outcomes.push(`unrecorded: ${String(error)}`),
      tell: async heard => door.ref !== null && tellWhenRoom(door.ref, { _tag: 'Heard', heard }, world.clock),
    })
    const ports: FollowUpPorts = {
      calls: answerCalls,
      diskCodeOf: error =>
        error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null,
      refused: () => undefined,
    }
    const owe = (id: string, sealedReply = `token-${id}`): void => {
      const nowMs = world.clock.nowMs()
      store().enqueue({ id, kind: 'query', vars: {}, sealedReply }, nowMs)
      const begun = store().begin(nowMs)
      if (begun !== null)
        store().end(begun, { state: 'enacted', reason: null, answer: `Odpowiedź ${id}` }, nowMs)
    }
    const { ref, tree } = await world.alone(followUpCourier, ports)
    door.ref = ref
    const wake = () => void tell(ref, { _tag: 'Wake' })
    return {
      ...{ world, tree, calls, outcomes, owe, wake, store },
      refuse: (code: string | null) => {
        diskCode = code
      },
    }
  }

  it('sends an answer once, without pings, and forgets where it went', async () => {
    const courier = await start()
    courier.owe('1')
    courier.wake()
    await courier.world.advance(5)
    courier.wake()
    await courier.world.advance(60_000)
    deepEqual(courier.outcomes, ['1 sent'])
    const [call] = courier.calls
    deepEqual(
      [courier.calls.length, call?.method, call?.path, call?.body],
      [
        1,
        'PATCH',
        '/webhooks/42/token-1/messages/@original',
        '{"content":"Odpowiedź 1","allowed_mentions":{"parse":[]}}',
      ],
    )
    deepEqual(courier.store().owed(1), [])
  })

  it('sends at its start what the last incarnation owed', async () => {
    const first = await start([answerOf(503)])
    first.owe('1')
    first.wake()
    await first.world.advance(5)
    deepEqual(first.outcomes, [])
    runtime.reopen()
    const second = await start()
    await second.world.advance(2_000)
    deepEqual(second.outcomes, ['1 sent'])
  })

  it('sends an answer while the calls of earlier ones wait, and no answer twice', async () => {
    const slow: Array<(heard: Heard) => void> = []
    const courier = await start(
      Array.from({ length: 9 }, () => new Promise<Heard>(resolve => void slow.push(resolve))),
    )
    for (let id = 1; id <= 9; id += 1) courier.owe(String(id))
    courier.wake()
    await courier.world.advance(100)
    courier.owe('10')
    courier.wake()
    await courier.world.advance(100)
    deepEqual([courier.outcomes, courier.calls.length], [['10 sent'], 10])
    for (const resolve of slow) resolve(answerOf(200, { id: '555', channel_id: '7' }))
    await courier.world.advance(100)
    deepEqual([courier.outcomes.length, courier.calls.length], [10, 10])
  })

  it('waits at its end for the calls under way, and records their outcomes', async () => {
    let resolve: (heard: Heard) => void = () => undefined
    const courier = await start([new Promise<Heard>(done => (resolve = done))])
    courier.owe('1')
    courier.wake()
    await courier.world.settle()
    const drained = courier.tree.drain(1_000)
    await courier.world.settle()
    resolve(answerOf(200, { id: '555', channel_id: '7' }))
    await courier.world.settle()
    await drained
    deepEqual([courier.outcomes, courier.store().owed(1)], [['1 sent'], []])
  })

  it('ends a token at its 401, and sends the next answer at once', async () => {
    const courier = await start([answerOf(401, { code: 50_027 })])
    courier.owe('1')
    courier.owe('2')
    courier.wake()
    await courier.world.advance(5)
    deepEqual(courier.outcomes, ['1 token_dead', '2 sent'])
  })

  it('tries an early 404 again, five times in all', async () => {
    const missing = Array.from({ length: 9 }, () => answerOf(404, { code: 10_008 }))
    const courier = await start(missing)
    courier.owe('1')
    courier.wake()
    await courier.world.advance(60_000)
    deepEqual([courier.outcomes, courier.calls.length], [['1 not_found'], 5])
  })

  it('lets others pass an answer that waits, and holds all of them for a global 429', async () => {
    const courier = await start([answerOf(429, { retry_after: 3, global: false })])
    courier.owe('1')
    courier.wake()
    await courier.world.advance(5)
    courier.owe('2')
    courier.wake()
    await courier.world.advance(5)
    deepEqual(courier.outcomes, ['2 sent'])
    await courier.world.advance(4_000)
    deepEqual(courier.outcomes, ['2 sent', '1 sent'])
    const held = await start([answerOf(429, { retry_after: 3, global: true })])
    held.owe('3')
    held.wake()
    await held.world.advance(5)
    held.owe('4')
    held.wake()
    await held.world.advance(2_900)
    deepEqual([held.outcomes, held.calls.length], [[], 1])
    await held.world.advance(200)
    deepEqual([...held.outcomes].sort(), ['3 sent', '4 sent'])
  })

  it('sends nothing behind the life of its token', async () => {
    const courier = await start(Array.from({ length: 99 }, () => answerOf(503)))
    courier.owe('1')
    courier.wake()
    await courier.world.advance(answerLifeMs + 60_000)
    deepEqual(courier.outcomes, ['1 expired'])
    const before = courier.calls.length
    await courier.world.advance(3_600_000)
    equal(courier.calls.length, before)
  })

  for (const [what, global] of [
    ['an answer', false],
    ['all answers', true],
  ] as const)
    it(`forgets a token at the end of its life, also where the platform holds ${what} for longer`, async () => {
      const courier = await start([answerOf(429, { retry_after: 86_400, global })])
      courier.owe('1')
      courier.wake()
      await courier.world.advance(answerLifeMs - 60_000)
      if (global) courier.owe('2')
      for (let at = 0; at < 12; at += 1) {
        courier.wake()
        await courier.world.advance(10_000)
      }
      deepEqual([courier.outcomes, courier.calls.length], [['1 expired'], 1])
      await courier.world.advance(answerLifeMs)
      deepEqual(courier.outcomes, global ? ['1 expired', '2 expired'] : ['1 expired'])
      deepEqual(courier.store().owed(9), [])
    })

  it('gives up what it cannot decrypt, and goes on after a disk that refused', async () => {
    const courier = await start()
    courier.owe('1', 'broken')
    courier.refuse('SQLITE_FULL')
    courier.wake()
    await courier.world.advance(1_000)
    deepEqual(courier.outcomes, [])
    courier.wake()
    await courier.world.advance(1_000)
    courier.refuse(null)
    await courier.world.advance(10_000)
    deepEqual(courier.outcomes, ['1 token_unreadable'])
  })
})
