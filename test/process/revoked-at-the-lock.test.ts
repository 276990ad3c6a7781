import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import type { Landing } from '#src/ports/landing.js'
import { makeLatch } from '#test/support/latch.js'
import { startNode, type TestNode } from '#test/support/node.js'

describe('a write that waits for the lock of another git', () => {
  let node: TestNode
  let [arrived, released] = [makeLatch(), makeLatch()]

  before(async () => {
    const wait = (landing: Landing): Landing => ({
      ...landing,
      open: async (base, signal) => {
        arrived.open()
        await released.opened
        return landing.open(base, signal)
      },
    })
    node = await startNode({
      amend: ports => ({
        ...ports,
        gate: { ...ports.gate, landing: ports.gate.landing === null ? null : wait(ports.gate.landing) },
      }),
    })
  })
  after(() => node.stop())

  const patch = (value: string, token?: string) =>
    node.client.ask('/entities/Orrin', {
      method: 'PATCH',
      body: JSON.stringify({ tag: 'info', value }),
      ...(token === undefined ? {} : { token }),
    })

  it('is 401 where its token is revoked meanwhile; the write beside it lands (S30)', async () => {
    const { named } = node.host.tokens
    const wanted = { name: 'bot', capabilities: ['entity.write'] as const, expiresMs: null, by: 'machine' }
    const minted = named.mint(wanted, Date.now())
    if (minted._tag === 'Left') throw new Error(minted.left.detail)
    const { token, kept } = minted.right
    const head = node.repository.head()
    const revoked = patch('nocą handluje', token)
    await arrived.opened
    named.revoke(kept.id, { name: 'machine' }, 0)
    released.open()
    const beside = patch('rano śpi')
    deepEqual([(await revoked).status, (await beside).status], [401, 200])
    equal(node.repository.git('rev-list', '--count', `${head}..HEAD`), '1')
    equal(node.repository.git('show', 'HEAD:encje/indeks.md').includes('nocą handluje'), false)
  })

  it('lands where its token is still good', async () => {
    ;[arrived, released] = [makeLatch(), makeLatch()]
    released.open()
    equal((await patch('wieczorem liczy')).status, 200)
  })
})
