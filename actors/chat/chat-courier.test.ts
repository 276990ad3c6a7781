import { deepEqual, equal, ok } from 'node:assert/strict'
import { type Either, isLeft, isRight } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import type { ChatCall, Heard } from '#protocol/chat/platform.js'
import type { Verdict } from '#src/domain/chat/failures.js'
import { type ChatLimits, noLimits } from '#src/domain/chat/limits.js'
import type { ChatOutcome } from '#src/domain/chat/outbox.js'
import { type AskFailure, ask, type Ref } from '#src/kernel/actor/ref.js'
import { supervisorOf } from '#src/node/tree/actors.js'
import { kernelWorld } from '#test/support/kernel/kernel-world.js'
import { type ChatCourierMessage, type ChatCourierPorts, chatCourier } from './chat-courier.js'

const roles: ChatCall = {
  method: 'GET',
  route: '/guilds/{guild_id}/roles',
  major: '1',
  path: '/guilds/1/roles',
  body: null,
  isMessage: false,
}

const makeAnswer = (status: number, headers: Readonly<Record<string, string>> = {}, text = '[]'): Heard => ({
  _tag: 'Answer',
  status,
  headers,
  text,
})

type Given = Either<AskFailure, ChatOutcome>

/** A courier on virtual time; each call waits until the test lets it end. */
const courier = async () => {
  const world = kernelWorld()
  const made: Array<{
    readonly timeoutMs: number
    readonly end: (what: Heard) => void
    readonly isAborted: () => boolean
  }> = []
  const judged: Array<Verdict['_tag']> = []
  let limits: ChatLimits = noLimits
  let fault = false
  const ports: ChatCourierPorts = {
    call: (_call, timeoutMs, signal) => {
      if (fault) throw new Error('a fault of the port')
      return new Promise(end => made.push({ timeoutMs, end, isAborted: () => signal.aborted }))
    },
    limits: {
      get: () => limits,
      set: known => {
        limits = known
      },
    },
    heard: () => undefined,
    judged: verdict => void judged.push(verdict._tag),
  }
  const actor = chatCourier({ messages: { max: 30, windowMs: 60_000 } })
  const { ref, tree } = await world.alone(actor, ports, { drainMs: 8_000 })
  const answers: Array<Given> = []
  const send = (budgetMs = 10_000, to: Ref<ChatCourierMessage> = ref): void =>
    void ask<ChatCourierMessage, ChatOutcome>(
      to,
      replyTo => ({ _tag: 'Ask', call: roles, budgetMs, replyTo }),
      60_000,
    ).then(given => answers.push(given))
  return {
    world,
    tree,
    made,
    judged,
    answers,
    send,
    limits: () => limits,
    failNext: (fails: boolean) => {
      fault = fails
    },
  }
}

const tagOf = (given: Given | undefined): string => {
  if (given === undefined) return 'none'
  if (isLeft(given)) return `ask ${given.left._tag}`
  return isLeft(given.right) ? given.right.left._tag : given.right.right
}

describe('the chat courier', () => {
  it('makes a call and answers with what came', async () => {
    const { world, made, answers, send, judged } = await courier()
    send()
    await world.settle()
    equal(made.length, 1)
    deepEqual(
      made.map(({ timeoutMs }) => timeoutMs),
      [3_000],
    )
    made[0]?.end(makeAnswer(200, {}, '["a"]'))
    await world.settle()
    deepEqual(answers.map(tagOf), ['["a"]'])
    deepEqual(judged, ['Done'])
  })

  it('makes one call at a time, and the next when it ended', async () => {
    const { world, made, answers, send } = await courier()
    for (let count = 0; count < 3; count += 1) send()
    await world.settle()
    for (let count = 1; count <= 3; count += 1) {
      equal(made.length, count)
      made[count - 1]?.end(makeAnswer(200))
      await world.settle()
    }
    equal(answers.length, 3)
  })

  it('waits out a 429 by its timer, then asks again', async () => {
    const { world, made, answers, send } = await courier()
    send()
    await world.settle()
    made[0]?.end(makeAnswer(429, { 'retry-after': '3', 'x-ratelimit-scope': 'user' }))
    await world.advance(2_999)
    equal(made.length, 1)
    await world.advance(2)
    equal(made.length, 2)
    made[1]?.end(makeAnswer(200))
    await world.settle()
    deepEqual(answers.map(tagOf), ['[]'])
  })

  it('holds to a 429 across a fault: the next incarnation remembers', async () => {
    const { world, made, answers, send, failNext, limits } = await courier()
    send(2_000)
    await world.settle()
    made[0]?.end(makeAnswer(429, { 'retry-after': '30', 'x-ratelimit-global': 'true' }))
    await world.settle()
    deepEqual(answers.map(tagOf), ['RateLimited'])
    failNext(true)
    send(60_000)
    await world.advance(30_001)
    equal(tagOf(answers[1]), 'ask Faulted')
    failNext(false)
    ok(limits().starts.length === 2, 'a call that faulted was begun')
    await world.advance(1_000)
    send()
    await world.settle()
    equal(made.length, 2)
    equal(world.log.filter(record => record.event === 'fault').length, 1)
  })

  it('gives up the call of an incarnation that ended, and never hears of it', async () => {
    const { world, made, answers, send } = await courier()
    send()
    await world.settle()
    const { kernel } = world
    ok(kernel.readings().some(reading => reading.actor === 'chat-courier'))
    deepEqual(
      made.map(one => one.isAborted()),
      [false],
    )
    await world.advance(35_000)
    deepEqual(
      made.map(one => one.isAborted()),
      [true],
    )
    equal(tagOf(answers[0]), 'ask Faulted')
    made[0]?.end(makeAnswer(200))
    await world.advance(1_000)
    send()
    await world.settle()
    made[1]?.end(makeAnswer(200, {}, '"anew"'))
    await world.settle()
    equal(tagOf(answers[1]), '"anew"')
  })

  it('answers who waits when it is drained, and hears the call under way to its end', async () => {
    for (const what of [
      makeAnswer(200),
      makeAnswer(502),
      makeAnswer(429, { 'retry-after': '0', 'x-ratelimit-scope': 'user' }),
    ]) {
      const { world, made, answers, send, tree } = await courier()
      send()
      send()
      await world.settle()
      const drained = tree.drain(10_000)
      await world.settle()
      made[0]?.end(what)
      await world.settle()
      deepEqual(await drained, [])
      const first = what._tag === 'Answer' && what.status === 200 ? '[]' : 'CourierBusy'
      deepEqual(answers.map(tagOf).sort(), ['CourierBusy', first].sort())
      equal(made.length, 1)
    }
  })

  it('is drained at once where nothing is under way', async () => {
    const { tree, world } = await courier()
    const drained = tree.drain(1_000)
    await world.settle()
    deepEqual(await drained, [])
  })

  it('answers every one of a flood: at the door, in the queue or by the platform', async () => {
    const { world, made, answers, send } = await courier()
    for (let count = 0; count < 400; count += 1) send()
    await world.settle()
    for (let at = 0; at < made.length; at += 1) {
      made[at]?.end(makeAnswer(200))
      await world.settle()
      await world.advance(30)
    }
    equal(answers.length, 400)
    const done = answers.filter(given => isRight(given) && isRight(given.right)).length
    ok(done === made.length && done >= 65 && done < 80, `${done}`)
    ok(answers.map(tagOf).includes('CourierBusy') && answers.map(tagOf).includes('ask Full'))
  })

  it('that faults again and again stays down alone, and who asks is answered at once', async () => {
    const world = kernelWorld()
    const place = world.kernel.place(chatCourier({ messages: { max: 30, windowMs: 60_000 } }))
    const failing: ChatCourierPorts = {
      call: () => Promise.reject(new Error('a fault of the port')),
      limits: { get: () => noLimits, set: () => undefined },
      heard: () => undefined,
      judged: () => undefined,
    }
    const gaveUp: Array<string> = []
    const { children, ...policy } = supervisorOf('delivery')
    const alone = { ...policy, children: children.filter(({ id }) => id === 'chat-courier') }
    world.kernel.run(alone, { 'chat-courier': place.with(failing) }, ({ supervisor }) =>
      gaveUp.push(supervisor),
    )
    const given: Array<string> = []
    for (let count = 0; count < 7; count += 1) {
      const asked = ask<ChatCourierMessage, ChatOutcome>(
        place.ref,
        replyTo => ({ _tag: 'Ask', call: roles, budgetMs: 10_000, replyTo }),
        60_000,
      )
      await world.advance(8_000)
      given.push(tagOf(await asked))
    }
    deepEqual(given, [...Array.from({ length: 6 }, () => 'ask Faulted'), 'ask Gone'])
    deepEqual(gaveUp, [])
  })
})
