import { deepEqual, equal } from 'node:assert/strict'
import { left, right } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { DeliveryStatus } from '#protocol/chat/delivery.js'
import { holdMs } from '#src/domain/chat/attempts.js'
import * as say from '#src/domain/chat/failures.js'
import { tell } from '#src/kernel/actor/ref.js'
import { openSender, sentMessage } from '#test/support/chat/sender-world.js'
import { runtimeOf, type TestRuntime } from '#test/support/runtime.js'

describe('the chat sender', () => {
  let runtime: TestRuntime
  beforeEach(() => {
    runtime = runtimeOf()
  })
  afterEach(() => runtime.dispose())

  it('sends a message, records its id and answers who waits for it', async () => {
    const { world, made, outbox, store, post, told } = await openSender(runtime)
    const id = post('a', 'Cześć')
    const statuses: Array<DeliveryStatus> = []
    void outbox.awaitEnd(id, 10_000).then(status => statuses.push(status))
    await world.settle()
    deepEqual([made.map(({ content, channelId }) => `${channelId} ${content}`), statuses], [['11 Cześć'], []])
    made[0]?.end(sentMessage)
    await world.settle()
    deepEqual([statuses, store.find(id)?.messageId], [['sent'], '555'])
    deepEqual(told, ['svc_chat_deliveries_total message,sent'])
  })

  it('answers queued when the message has not ended in time, and sends it afterwards', async () => {
    const { world, made, outbox, post, statusOf } = await openSender(runtime)
    const id = post('a')
    const statuses: Array<DeliveryStatus> = []
    void outbox.awaitEnd(id, 10_000).then(status => statuses.push(status))
    await world.advance(9_999)
    deepEqual(statuses, [])
    await world.advance(1)
    deepEqual(statuses, ['queued'])
    made[0]?.end(sentMessage)
    await world.settle()
    equal(statusOf(id), 'sent')
  })

  it('answers at once for a message that has ended already', async () => {
    const { world, made, outbox, post } = await openSender(runtime)
    const id = post('a')
    await world.settle()
    made[0]?.end(sentMessage)
    await world.settle()
    const statuses: Array<DeliveryStatus> = []
    void outbox.awaitEnd(id, 10_000).then(status => statuses.push(status))
    await world.settle()
    deepEqual([statuses, made.length], [['sent'], 1])
  })

  it('keeps the order of a channel, and lets no channel wait for another', async () => {
    const { world, made, post } = await openSender(runtime)
    post('a', 'a1')
    post('a', 'a2')
    post('b', 'b1')
    await world.settle()
    deepEqual(
      made.map(({ content }) => content),
      ['a1', 'b1'],
    )
    made[0]?.end(sentMessage)
    await world.settle()
    deepEqual(
      made.map(({ content }) => content),
      ['a1', 'b1', 'a2'],
    )
  })

  it('records the outcome of an attempt that ends while the mailbox is full', async () => {
    const { world, made, sender, post, statusOf } = await openSender(runtime)
    const first = post('a')
    await world.settle()
    while (tell(sender, { _tag: 'Wake' }) !== 'full');
    made[0]?.end(sentMessage)
    // The outcome is told before the actor takes the first message of its full mailbox.
    await Promise.resolve()
    await world.advance(1_000)
    const second = post('a')
    await world.settle()
    deepEqual([statusOf(first), statusOf(second), made.length], ['sent', 'queued', 2])
  })

  it('lets no channel wait for one whose names are the same with the slash elsewhere', async () => {
    const { world, made, outbox } = await openSender(runtime)
    const message = { operation: 'message', entity: null } as const
    outbox.post({ ...message, category: 'a/b', channel: 'c', text: 'first' })
    await world.settle()
    outbox.post({ ...message, category: 'a', channel: 'b/c', text: 'second' })
    await world.settle()
    deepEqual(
      made.map(({ content }) => content),
      ['first', 'second'],
    )
  })

  it('sends to more channels than it looks at, sixteen at a time, and passes those that are held', async () => {
    const { world, made, post, statusOf } = await openSender(runtime)
    const channels = Array.from({ length: 60 }, (_, at) => `c${at}`)
    const held = channels.map(name => post(name, 'held'))
    for (let at = 0; at < channels.length; at += 1) {
      await world.settle()
      equal(made.length, Math.min(at + 16, channels.length))
      made[at]?.end(left(say.chatRefused(403, 50_001)))
    }
    await world.settle()
    const last = post('last')
    await world.settle()
    made[60]?.end(sentMessage)
    await world.settle()
    deepEqual([new Set(held.map(statusOf)), statusOf(last)], [new Set(['queued']), 'sent'])
    await world.advance(holdMs)
    equal(made.length, 61 + 16, 'the held channels try again')
  })

  it('holds a channel that refuses, with its reason, while others are served; then tries again', async () => {
    const { world, made, post, store, told, statusOf } = await openSender(runtime)
    const [first, second] = [post('a', 'a1'), post('a', 'a2')]
    await world.settle()
    made[0]?.end(left(say.chatRefused(403, 50_001)))
    await world.settle()
    const third = post('a', 'a3')
    const other = post('b', 'b1')
    await world.advance(holdMs - 1)
    deepEqual(
      made.map(({ content }) => content),
      ['a1', 'b1'],
    )
    made[1]?.end(sentMessage)
    await world.settle()
    equal(statusOf(other), 'sent')
    const listed = store.list(null, 500, world.clock.nowMs()).filter(({ channel }) => channel === 'a')
    deepEqual(
      listed.map(({ id, status, code }) => [id, status, code]),
      [
        [third, 'queued', 50_001],
        [second, 'queued', 50_001],
        [first, 'queued', 50_001],
      ],
    )
    equal(told.filter(line => line === 'chat_held').length, 1)
    await world.advance(60_000)
    deepEqual(
      made.map(({ content }) => content),
      ['a1', 'b1', 'a1'],
    )
    equal(made[0]?.nonce, made[2]?.nonce)
    made[2]?.end(sentMessage)
    await world.settle()
    deepEqual(
      made.map(({ content }) => content),
      ['a1', 'b1', 'a1', 'a2'],
    )
  })

  it('holds all messages where the token is refused, and none afterwards', async () => {
    const { world, made, post, statusOf } = await openSender(runtime)
    const ids = [post('a'), post('b'), post('c')]
    await world.settle()
    for (const one of made) one.end(left(say.tokenRefused(600_000)))
    await world.advance(599_000)
    post('d')
    await world.settle()
    equal(made.length, 3)
    await world.advance(61_000)
    equal(made.length, 7)
    for (const one of made.slice(3)) one.end(sentMessage)
    await world.settle()
    deepEqual(ids.map(statusOf), ['sent', 'sent', 'sent'])
  })

  for (const [what, failure] of [
    ['the token', say.tokenRefused(600_000)],
    ['the rights in the channel', say.chatRefused(403, 50_001)],
  ] as const)
    it(`tries a message again at its start, which ends the hold for ${what}`, async () => {
      const before = await openSender(runtime)
      const id = before.post('a')
      await before.world.settle()
      before.made[0]?.end(left(failure))
      await before.world.settle()
      equal(before.statusOf(id), 'queued')
      const { world, made } = await openSender(runtime)
      await world.settle()
      equal(made.length, 1)
      equal(made[0]?.nonce, before.made[0]?.nonce)
    })

  it('holds the channel that the guild does not have, and forgets a kept channel that is gone', async () => {
    const { world, made, post, store, told, lookUp } = await openSender(runtime)
    const id = post('a')
    await world.settle()
    made[0]?.end(left(say.chatRefused(404, 10_003)))
    await world.settle()
    deepEqual(told, ['forget', 'chat_held'])
    lookUp(right({ _tag: 'Missing' }))
    await world.advance(holdMs)
    equal(store.find(id)?.detail?.includes('c/a'), true)
    equal(made.length, 1)
  })

  it('sends again with the same nonce while the platform remembers it, then reports what it cannot know', async () => {
    const { world, made, post, store, statusOf } = await openSender(runtime)
    const id = post('a')
    for (let at = 0; statusOf(id) === 'queued' && at < 100; at += 1) {
      await world.advance(1_000)
      made.at(-1)?.end(left(say.noAnswer('timeout')))
      await world.settle()
    }
    equal(statusOf(id), 'unknown')
    equal(new Set(made.map(({ nonce }) => nonce)).size, 1)
    equal(made.length > 1, true)
    const attempts = made.length
    await world.advance(3_600_000)
    equal(made.length, attempts)
    equal(store.find(id)?.attempts, attempts)
  })

  it('logs once that the platform does not answer for a channel, and again after an answer', async () => {
    const { world, made, post, told, lookUp } = await openSender(runtime)
    const unanswered = (): number => told.filter(line => line === 'chat_unanswered').length
    lookUp(left(say.noAnswer('network')))
    post('a')
    await world.advance(30_000)
    deepEqual([unanswered(), made.length], [1, 0])
    post('b')
    await world.settle()
    equal(unanswered(), 2)
    lookUp(right({ _tag: 'Missing' }))
    await world.advance(60_000)
    equal(told.filter(line => line === 'chat_held').length, 2)
    lookUp(left(say.noAnswer('network')))
    await world.advance(holdMs)
    equal(unanswered(), 4)
  })
})
