import { rejects } from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, it } from 'mocha'
import { counter, idlePorts } from '#test/support/kernel/counter.js'
import { startNode } from '#test/support/node.js'

describe('the node of the fault tests', () => {
  it('fails a test that leaves a timer', async () => {
    const node = await startNode({ goneMs: 200 })
    const timer = setTimeout(() => undefined, 60_000)
    await rejects(node.stop(), /Timeout/)
    clearTimeout(timer)
  })

  it('fails a test that leaves a handle', async () => {
    const node = await startNode({ goneMs: 200 })
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    await rejects(node.stop(), /TCPServerWrap/)
    server.close()
    await once(server, 'close')
  })

  it('fails a test that leaves an actor', async () => {
    const node = await startNode({ goneMs: 200 })
    const kernel = node.faults.kernel()
    const left = kernel.place(counter('left'))
    const tree = kernel.run(
      {
        id: 'other',
        strategy: 'one_for_one',
        restartsMax: 1,
        windowMs: 1_000,
        children: [{ id: 'left', restart: 'permanent', drainMs: 0 }],
      },
      { left: left.with(idlePorts) },
      () => undefined,
    )
    await tree.ready
    await rejects(node.stop(), /actors are left/)
    tree.close()
  })
})
