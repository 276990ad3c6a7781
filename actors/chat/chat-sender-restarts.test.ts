import { deepEqual, equal } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { openSender, sentMessage } from '#test/support/chat/sender-world.js'
import { runtimeOf, type TestRuntime } from '#test/support/runtime.js'

describe('the chat sender after a restart, a drain or a fault', () => {
  let runtime: TestRuntime
  beforeEach(() => {
    runtime = runtimeOf()
  })
  afterEach(() => runtime.dispose())

  it('goes on where the last process ended, with the nonce of the row', async () => {
    const first = await openSender(runtime)
    const [begun, waits] = [first.post('a', 'begun'), first.post('a', 'waits')]
    await first.world.settle()
    runtime.reopen()
    const second = await openSender(runtime)
    deepEqual(
      second.made.map(({ content, nonce }) => [content, nonce]),
      [['begun', first.made[0]?.nonce]],
    )
    second.made[0]?.end(sentMessage)
    await second.world.settle()
    second.made[1]?.end(sentMessage)
    await second.world.settle()
    deepEqual([second.statusOf(begun), second.statusOf(waits)], ['sent', 'sent'])
    equal(second.store.find(begun)?.attempts, 2)
  })

  it('reports a message that the last process may have sent too long ago', async () => {
    const first = await openSender(runtime)
    const id = first.post('a')
    await first.world.settle()
    runtime.execute(`UPDATE deliveries SET doubt_since_ms = doubt_since_ms - 600000`)
    runtime.reopen()
    const second = await openSender(runtime)
    deepEqual([second.statusOf(id), second.made.length], ['unknown', 0])
  })

  it('waits for the attempts under way when it is drained, and begins none', async () => {
    const { world, made, post, tree, statusOf } = await openSender(runtime)
    const [id, later] = [post('a'), post('a')]
    await world.settle()
    const drained = tree.drain(10_000)
    await world.settle()
    made[0]?.end(sentMessage)
    await world.settle()
    deepEqual([await drained, statusOf(id), statusOf(later), made.length], [[], 'sent', 'queued', 1])
  })

  it('records the outcome in the next incarnation after a fault, with the same nonce', async () => {
    const { world, made, post, statusOf, fail } = await openSender(runtime)
    const id = post('a')
    await world.settle()
    fail(new Error('a fault of the store'))
    made[0]?.end(sentMessage)
    await world.settle()
    equal(statusOf(id), 'queued')
    fail(null)
    await world.advance(2_000)
    made[1]?.end(sentMessage)
    await world.settle()
    deepEqual([statusOf(id), made[0]?.nonce], ['sent', made[1]?.nonce])
  })

  it('waits for as long as the disk refuses, and records the outcome of the attempt afterwards', async () => {
    const { world, made, post, statusOf, fail, told } = await openSender(runtime)
    const [id, later] = [post('a'), post('a')]
    await world.settle()
    fail(Object.assign(new Error('full'), { code: 'SQLITE_FULL' }))
    made[0]?.end(sentMessage)
    const other = post('b')
    await world.advance(3_600_000)
    deepEqual([statusOf(id), statusOf(other), made.length], ['queued', 'queued', 1])
    equal(told.includes('chat_disk_refused'), true)
    equal(world.log.filter(({ event }) => event === 'fault').length, 0)
    fail(null)
    await world.advance(5_000)
    deepEqual([statusOf(id), statusOf(later), made.length], ['sent', 'queued', 3])
  })
})
