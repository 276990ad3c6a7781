import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { after, before, describe, it } from 'mocha'
import { LogPage } from '#protocol/host/events.js'
import { NamedTokenMinted } from '#protocol/identity/sign-in.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { SignedIn } from '#src/ports/identity.js'
import { type Daemon, eventually, postJson, startDaemon } from '#test/support/daemon.js'
import { startNode, type TestNode } from '#test/support/node.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'

const store = (role: string): string => `## Gracz
### Brzoza
- @gameid: 100
${role}
### Cis
- @gameid: 200
`
const bindings = (...pairs: ReadonlyArray<readonly [chatId: string, gameId: string]>): string =>
  JSON.stringify({
    bindings: pairs.map(([chatId, gameId]) => ({
      chatId,
      gameId,
      since: '2026-01-01T00:00:00Z',
      by: 'test',
    })),
  })

/** HEAD is looked at before each request: what a commit takes away is gone with the next one. */
const files = {
  '.svc/format.json': '{"format": 2}\n',
  '.svc/config.json': '{"server": {"selfheal_interval_ms": 0}}\n',
  '.svc/bindings.json': bindings(['c1', '100']),
  'kontrybutorzy.md': store('- @rola: Narrator'),
}

describe('tokens of a node', () => {
  let node: TestNode
  before(async () => {
    node = await startNode({ files })
  })
  after(() => node.stop())

  const minted = async (who: SignedIn, nowMs = realClock.nowMs()): Promise<string> => {
    const made = await node.host.tokens.mintLogin(who, nowMs)
    if (isLeft(made)) throw new Error(made.left.detail)
    return made.right.token
  }
  const statusWith = async (token: string, path = '/sessions'): Promise<number> =>
    (await node.client.ask(path, { token })).status
  const commit = (changed: Readonly<Record<string, string>>): string => node.repository.commit(changed)
  /** What a commit gives waits for a look: a request that is refused does not look at HEAD. */
  const given = async (changed: Readonly<Record<string, string>>): Promise<void> => {
    commit(changed)
    equal((await node.client.ask('/entities')).status, 200)
  }

  it('a role that a commit takes away is gone with the next request of its logins (S30)', async () => {
    const token = await minted({ gameId: '100', chatId: null })
    equal(await statusWith(token), 200)
    commit({ 'kontrybutorzy.md': store('- @rola: Narrator (:2020-01)') })
    const refused = await node.client.ask('/sessions', { token })
    deepEqual([refused.status, refused.text.includes('"required":"session.read"')], [403, true])
    equal(await statusWith(token, '/entities'), 200, 'the bundle gracz is left')
    await given({ 'kontrybutorzy.md': store('- @rola: Narrator') })
    equal(await statusWith(token), 200)
  })

  it('a link that a commit takes away ends the logins of its chat account, and no other', async () => {
    const byChat = await minted({ gameId: '100', chatId: 'c1' })
    const byGame = await minted({ gameId: '100', chatId: null })
    equal(await statusWith(byChat), 200)
    commit({ '.svc/bindings.json': bindings(['c1', '200']) })
    equal(await statusWith(byChat), 401)
    equal(await statusWith(byGame), 200)
    commit({ '.svc/bindings.json': bindings() })
    equal(await statusWith(byChat), 401)
    await given({ '.svc/bindings.json': bindings(['c1', '100']) })
    equal(await statusWith(byChat), 200)
  })

  it('an id that a commit closes ends every login of it', async () => {
    const token = await minted({ gameId: '200', chatId: null })
    equal(await statusWith(token, '/entities'), 200)
    commit({ 'kontrybutorzy.md': store('').replace('- @gameid: 200', '- @gameid: 200 (:2020-01)') })
    equal(await statusWith(token, '/entities'), 401)
    await given({ 'kontrybutorzy.md': store('- @rola: Narrator') })
  })

  it('a named token holds what was frozen, whatever the roles table becomes', async () => {
    const made = await node.client.ask('/tokens', {
      method: 'POST',
      body: JSON.stringify({ name: 'bot', capabilities: ['session.read'] }),
    })
    if (!NamedTokenMinted.is(made.json)) throw new Error(made.text)
    const { token } = made.json
    equal(await statusWith(token), 200)
    commit({ '.svc/roles.json': '{"roles": {}}', '.svc/grants.json': '{"grants": []}' })
    equal(await statusWith(token), 200)
    equal(await statusWith(token, '/people'), 403)
  })

  it('tell which bot wrote: in the commit, in the audit and in the request record', async () => {
    const wish = { name: 'bot kalendarza', capabilities: ['entity.write', 'admin.mode', 'token.manage'] }
    const made = await node.client.ask('/tokens', { method: 'POST', body: JSON.stringify(wish) })
    if (!NamedTokenMinted.is(made.json)) throw new Error(made.text)
    const { token, id } = made.json
    const ask = (path: string, body: object) =>
      node.client.ask(path, { method: 'POST', token, body: JSON.stringify(body) })
    equal((await ask('/entities', { name: 'Zegar', type: 'NPC' })).status, 201)
    const message = node.repository.git('log', '-1', '--format=%B')
    match(
      message,
      new RegExp(`^Svc-Actor: named\\nSvc-Token: ${id} bot kalendarza\\nSvc-Route: POST /entities$`, 'm'),
    )
    equal((await ask('/admin/mode', { mode: 'read-write' })).status, 200)
    equal((await ask('/tokens', { name: 'bot drugi', capabilities: ['entity.write'] })).status, 201)

    const ofBot = async (stream: string, told: (one: Readonly<Record<string, unknown>>) => unknown) => {
      const page = (await node.client.ask(`/logs/${stream}`)).json
      if (!LogPage.is(page)) throw new Error(`no page of the stream ${stream}`)
      return page.items.filter(one => one['token'] === id && one['tokenName'] === wish.name).map(told)
    }
    const actions = await eventually(
      () => ofBot('audit', one => one['action']),
      all => all.length >= 3,
    )
    deepEqual(actions.toSorted(), ['mode', 'token.mint', 'write'])
    const rows = await eventually(
      () => ofBot('request', one => `${String(one['kind'])} ${String(one['route'])}`),
      all => all.length >= 3,
    )
    deepEqual(rows.toSorted(), ['named /admin/mode', 'named /entities', 'named /tokens'])
    const machine = node.repository.git('log', '--format=%(trailers:key=Svc-Token,valueonly)')
    equal(machine.trim(), `${id} bot kalendarza`)
  })

  it('are counted by how they were proved and what became of them', async () => {
    const seen = (method: string, result: string): Promise<number> =>
      node.metric('svc_auth_attempts_total', { method, result })
    const before = [await seen('session', 'accepted'), await seen('session', 'refused')] as const
    const named = await seen('named', 'refused')
    const expired = await minted({ gameId: '100', chatId: null }, 0)
    await statusWith(await minted({ gameId: '100', chatId: null }))
    equal(await statusWith(expired), 401)
    equal(await statusWith('named_0.nobody'), 401)
    deepEqual(
      [await seen('session', 'accepted'), await seen('session', 'refused')],
      [before[0] + 1, before[1] + 1],
    )
    equal(await seen('named', 'refused'), named + 1)
  })

  it('stand in no log', () => {
    ok(node.records.length > 0)
    for (const record of node.records)
      ok(!/(sess|named)_[\w-]{20}/.test(JSON.stringify(record)), record.event)
  })
})

describe('a token that was told', () => {
  let repository: Repository
  let daemon: Daemon
  before(async () => {
    repository = repositoryOf(files)
    daemon = await startDaemon(['serve', '--repo', repository.path])
  })
  after(async () => {
    if (daemon.process.exitCode === null) await daemon.stop('SIGKILL')
    repository.dispose()
  })

  it('is good after kill -9, and one that was revoked is not', async () => {
    const mint = async (): Promise<NamedTokenMinted> => {
      const { body } = await postJson(daemon, '/tokens', { name: 'bot', capabilities: ['entity.read'] })
      if (!NamedTokenMinted.is(body)) throw new Error(JSON.stringify(body))
      return body
    }
    const [kept, revoked] = [await mint(), await mint()]
    const gone = await fetch(`${daemon.ready.url}/tokens/${revoked.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${daemon.token}` },
    })
    equal(gone.status, 200)
    await daemon.stop('SIGKILL')
    daemon = await startDaemon(['serve', '--repo', repository.path])
    const statusWith = async ({ token }: NamedTokenMinted): Promise<number> =>
      (await fetch(`${daemon.ready.url}/entities`, { headers: { authorization: `Bearer ${token}` } })).status
    deepEqual([await statusWith(kept), await statusWith(revoked)], [200, 401])
    match(kept.token, /^named_/)
  })
})
