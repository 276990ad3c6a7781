import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'mocha'
import { LogPage } from '#protocol/host/events.js'
import { bindingsPath } from '#src/domain/identity/bindings.js'
import { eventually } from '#test/support/daemon.js'
import { linkedFiles } from '#test/support/identity/linked-world.js'
import { restoreCommit, startNode, type TestNode } from '#test/support/node.js'

/** The id that only the race is about. */
const racedId = '8'

const config = { server: { selfheal_interval_ms: 100 }, integrations: { chat: { guild_id: '900' } } }

describe('bindings of a node', () => {
  let node: TestNode
  let first: string
  before(async () => {
    node = await startNode({ files: { ...linkedFiles, '.svc/config.json': JSON.stringify(config) } })
    first = node.repository.head()
  })
  afterEach(() => restoreCommit(node, first))
  after(() => node.stop())

  const register = (chatId: string, gameId: string, query = '') =>
    node.client.ask(`/workflows/register-by-chat${query}`, {
      method: 'POST',
      body: JSON.stringify({ chatId, gameId, guildId: '900' }),
    })
  const audited = async (): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> => {
    const page = (await node.client.ask('/logs/audit')).json
    if (!LogPage.is(page)) throw new Error('no page of the audit stream')
    return page.items
  }
  const fileAt = (commit: string): string => node.repository.git('show', `${commit}:${bindingsPath}`)

  it('are audited once they stand, with what they took away; a dry run and a refusal are not', async () => {
    equal((await register('222', '1', '?dryRun=true')).status, 200)
    equal((await register('222', '2')).status, 403)
    equal((await register('111', '1')).status, 200, 'already linked')
    const reply = await register('222', '1')
    equal(reply.status, 200, reply.text)
    const records = await eventually(audited, all =>
      all.some(one => one['action'] === 'identity.register' && one['target'] === '222'),
    )
    const [record, ...others] = records.filter(
      one => one['action'] === 'identity.register' && one['gameId'] !== racedId,
    )
    deepEqual(others, [])
    const { seq, at, intent, ...said } = record ?? {}
    ok(seq !== undefined && at !== undefined)
    deepEqual(said, {
      action: 'identity.register',
      actor: 'chat:222',
      ...{ target: '222', gameId: '1', gracz: 'Brzoza', displaces: '111', replaces: null },
      commit: reply.headers['x-svc-commit'],
    })
    ok(node.repository.git('log', '-1', '--format=%B').includes(`Svc-Intent: ${String(intent)}`))
  })

  it('that race for one id end as one, each loser displaced by the next', async () => {
    const accounts = ['201', '202', '203', '204', '205', '206']
    const replies = await Promise.all(accounts.map(chatId => register(chatId, racedId)))
    for (const reply of replies) equal(reply.status, 200, reply.text)
    const displaced = replies.map(reply => String(Reflect.get(Object(reply.json), 'displaces')))
    const holders = accounts.filter(one => fileAt('HEAD').includes(`"chatId":"${one}"`))
    equal(holders.length, 1)
    deepEqual([...displaced].sort(), [...accounts.filter(one => !holders.includes(one)), 'null'].sort())
    equal(node.repository.git('rev-list', '--count', 'HEAD').trim(), String(1 + accounts.length))
  })
})
