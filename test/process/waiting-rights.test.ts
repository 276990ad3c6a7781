import { equal } from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'mocha'
import { type CapabilityId, instantOf } from '#protocol/atoms.js'
import { grantsPath } from '#src/domain/identity/grants.js'
import { makeLatch } from '#test/support/latch.js'
import { nodeFiles, restoreCommit, startNode, type TestNode } from '#test/support/node.js'

const asks: ReadonlyArray<readonly [path: string, body: object, capability: CapabilityId]> = [
  ['/import', {}, 'admin.migrate'],
  ['/locations/reindex', {}, 'location.override'],
  ['/admin/mode', { mode: 'read-only' }, 'admin.mode'],
]

const grantsOf = (capability: CapabilityId): string =>
  JSON.stringify({ grants: [{ gameId: '100', capability, since: instantOf(0), by: 'machine' }] })

describe('work that waits in the gate and plans nothing on a snapshot', () => {
  let node: TestNode
  let first: string
  let turn = makeLatch()
  let go = makeLatch()

  before(async () => {
    const held =
      <A>(real: () => Promise<A>) =>
      async (): Promise<A> => {
        turn.open()
        await go.opened
        return real()
      }
    node = await startNode({
      files: { ...nodeFiles, 'kontrybutorzy.md': '## Gracz\n### Brzoza\n- @gameid: 100\n' },
      amend: ports => {
        const { gate } = ports
        const fresh = held(gate.fresh)
        return { ...ports, gate: { ...gate, fresh, adoption: { ...gate.adoption, fresh } } }
      },
    })
    first = node.repository.head()
  })
  beforeEach(() => {
    turn = makeLatch()
    go = makeLatch()
  })
  afterEach(async () => {
    go.open()
    await node.client.ask('/admin/mode', { method: 'POST', body: '{"mode": "read-write"}' })
    await restoreCommit(node, first)
  })
  after(() => node.stop())

  const landedSince = (head: string): number =>
    Number(node.repository.git('rev-list', '--count', `${head}..HEAD`, '--grep=^Svc-Route:'))

  /** Asks, takes the right when the turn of the work has come, and answers what the asker is told. */
  const askedAndTaken = async (path: string, body: object, token: string, take: () => unknown) => {
    const head = node.repository.head()
    const asked = node.client.ask(path, { method: 'POST', token, body: JSON.stringify(body) })
    await turn.opened
    await take()
    go.open()
    const reply = await asked
    equal(landedSince(head), 0)
    equal(node.host.mode.get().mode, 'ReadWrite')
    return reply
  }

  for (const [path, body, capability] of asks) {
    it(`POST ${path} is 401 where its token is revoked while it waits`, async () => {
      const { named } = node.host.tokens
      const wanted = { name: 'x', capabilities: [capability], expiresMs: null, by: 'machine' }
      const minted = named.mint(wanted, Date.now())
      if (minted._tag === 'Left') throw new Error(minted.left.detail)
      const { token, kept } = minted.right
      const reply = await askedAndTaken(path, body, token, () =>
        named.revoke(kept.id, { name: 'machine' }, 0),
      )
      equal(reply.status, 401, reply.text)
    })

    it(`POST ${path} is 403 where a commit takes the right while it waits`, async () => {
      node.repository.commit({ [grantsPath]: grantsOf(capability) })
      await node.host.look()
      const minted = await node.host.tokens.mintLogin({ gameId: '100', chatId: null }, Date.now())
      if (minted._tag === 'Left') throw new Error(minted.left.detail)
      const reply = await askedAndTaken(path, body, minted.right.token, () =>
        node.repository.commit({ [grantsPath]: '{"grants": []}' }),
      )
      equal(reply.status, 403, reply.text)
    })

    it(`POST ${path} is done for whoever still may`, async () => {
      go.open()
      const head = node.repository.head()
      const reply = await node.client.ask(path, { method: 'POST', body: JSON.stringify(body) })
      equal(reply.status, 200, reply.text)
      equal(landedSince(head), path === '/admin/mode' ? 0 : 1)
    })
  }
})
