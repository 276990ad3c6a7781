import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { after, before, describe, it } from 'mocha'
import { realClock } from '#src/kernel/time/clock.js'
import { isFields } from '#test/support/matching.js'
import { startNode, type TestNode } from '#test/support/node.js'

const files = {
  '.svc/format.json': '{"format": 2}\n',
  '.svc/config.json': '{"server": {"selfheal_interval_ms": 100}}\n',
  'kontrybutorzy.md': '## Gracz\n### Brzoza\n- @gameid: 100\n### Cis\n- @gameid: 200\n',
}

describe('rights that end while a node works', () => {
  let node: TestNode
  let token: string
  before(async () => {
    node = await startNode({ files })
    const made = await node.host.tokens.mintLogin({ gameId: '100', chatId: null }, realClock.nowMs())
    if (isLeft(made)) throw new Error(made.left.detail)
    token = made.right.token
    equal((await change('grant', '100', 'capability.admin')).status, 200)
  })
  after(() => node.stop())

  const post = (path: string, body: object, by?: string) =>
    node.client.ask(path, {
      method: 'POST',
      body: JSON.stringify(body),
      ...(by === undefined ? {} : { token: by }),
    })
  const change = (what: 'grant' | 'revoke', gameId: string, capability: string, by?: string) =>
    post(`/capabilities/${what}`, { gameId, capability }, by)
  const subjects = (since: string): ReadonlyArray<string> =>
    node.repository
      .git('log', '--reverse', '--format=%s', `${since}..HEAD`)
      .split('\n')
      .filter(line => line !== '')

  it('no write lands behind the revocation that it was sent beside', async () => {
    let behind = 0
    for (let round = 0; round < 6; round += 1) {
      for (const capability of ['pu.award', 'entity.write'])
        equal((await change('grant', '100', capability)).status, 200)
      const since = node.repository.head().trim()
      const [first, given, second, made] = await Promise.all([
        change('revoke', '100', 'pu.award'),
        change('grant', '200', 'pu.award', token),
        change('revoke', '100', 'entity.write'),
        post('/entities', { name: `Karczma ${round}`, type: 'Lokacja' }, token),
      ])
      deepEqual([first.status, second.status], [200, 200])
      const lines = subjects(since)
      const at = (part: string): number => lines.findIndex(line => line.includes(part))
      for (const [reply, done, taken] of [
        [given, 'give pu.award to Cis', 'take pu.award from Brzoza'],
        [made, `Karczma ${round}`, 'take entity.write from Brzoza'],
      ] as const) {
        if (reply.status === 403) {
          behind += 1
          equal(at(done), -1)
          ok(isFields(reply.json))
          match(String(reply.json['required']), /^(?:pu\.award|entity\.write)$/)
        } else ok(at(done) >= 0 && at(done) <= at(taken), `${reply.status}: ${lines.join(' -> ')}`)
      }
      await change('revoke', '200', 'pu.award')
    }
    ok(behind > 0, 'the race was met')
  })

  it('a stream is not told the write that took its right away', async () => {
    equal((await change('grant', '100', 'events.subscribe')).status, 200)
    const port = node.running.listeners.current()?.apiPort
    const reply = await fetch(`http://127.0.0.1:${port}/v1/api/events`, {
      headers: { authorization: `Bearer ${token}` },
    })
    equal(reply.status, 200)
    const told = reply.text()
    equal((await change('grant', '200', 'pu.read')).status, 200)
    equal((await change('revoke', '100', 'events.subscribe')).status, 200)
    equal((await change('revoke', '200', 'pu.read')).status, 200)
    const text = await told
    ok(text.includes('give pu.read to Cis'), text)
    ok(!text.includes('take'), text)
    match(text, /: ended, the token no longer opens this stream\n\n$/)
    equal((await node.client.ask('/events', { token })).status, 403)
    equal(await node.metric('svc_sse_disconnects_total', { reason: 'revoked' }), 1)
  })
})
