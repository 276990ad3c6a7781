import { deepEqual, equal, ok } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { eventually } from '#test/support/daemon.js'
import { startNode, type TestNode } from '#test/support/node.js'

const AuditItems = t.type({
  items: t.array(t.intersection([t.type({ action: t.string }), t.partial({ count: t.number })])),
})
type Items = t.TypeOf<typeof AuditItems>['items']

const flood = 2_000

describe('a flood of refused tokens', () => {
  let node: TestNode

  beforeEach(async () => {
    node = await startNode()
  })
  afterEach(() => node.stop())

  const lines = async (): Promise<Items> => {
    const read = AuditItems.decode((await node.client.ask('/logs/audit?limit=1000')).json)
    if (isLeft(read)) throw new Error('the audit stream has another shape')
    return read.right.items
  }

  it('leaves the lines of writes in the audit stream, and adds few that tell of all', async () => {
    const patch = { method: 'PATCH', body: JSON.stringify({ tag: 'info', value: 'nowy' }) }
    equal((await node.client.ask('/entities/Kupiec%20Orrin', patch)).status, 200)
    for (let sent = 0; sent < flood; sent += 50) {
      const asked = Array.from({ length: 50 }, () => node.client.ask('/x', { token: 'b' }))
      for (const { status } of await Promise.all(asked)) equal(status, 401)
    }
    node.host.refusals.end()
    const all = await eventually(lines, items => items.some(({ count }) => count !== undefined))
    ok(all.some(({ action }) => action === 'write'))
    const refused = all.filter(({ action }) => action === 'credential.refused')
    equal(
      refused.reduce((sum, { count = 1 }) => sum + count, 0),
      flood,
    )
    ok(refused.length <= 30, `${refused.length} lines`)
    const logged = node.records.filter(({ event }) => event === 'http.credential_refused')
    equal(logged.length, refused.length)
    deepEqual(
      logged.filter(({ fields }) => 'network' in fields),
      [],
    )
  })
})
