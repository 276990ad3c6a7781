import { deepEqual, equal, ok } from 'node:assert/strict'
import { afterEach, describe, it } from 'mocha'
import { type BuiltHost, startBuilt } from '#test/support/built-host.js'
import { eventually } from '#test/support/daemon.js'
import type { Reply } from '#test/support/http-client.js'

const files = (server: object) => ({
  '.svc/format.json': '{"format": 2}\n',
  '.svc/config.json': JSON.stringify({ server, integrations: { chat: { guild_id: '900' } } }),
  '.svc/bindings.json': JSON.stringify({
    bindings: [{ chatId: '111', gameId: '7001', since: '2026-01-01T00:00:00.000Z', by: 'x' }],
  }),
  'kontrybutorzy.md':
    '## Gracz\n\n### Brzoza\n- @gameid: 7001\n\n### Olcha\n- @gameid: 7002\n\n### Wierzba\n- @gameid: 7003\n',
  'encje/indeks.md':
    '### Xeron\n- @typ: Postać\n- @należy_do: Brzoza\n\n### Kilgor\n- @typ: Postać\n- @należy_do: Olcha\n',
})

describe('the limit of the writes of one person, at the built daemon', () => {
  let host: BuiltHost | null = null
  afterEach(async () => {
    await host?.stop()
    host = null
  })
  const start = async (server: object): Promise<BuiltHost> => {
    host = await startBuilt({ files: files(server), sessionsOf: ['7001', '7002'] })
    return host
  }
  let count = 0
  const write = async (to: BuiltHost, gameId: string, name: string, query = ''): Promise<Reply> => {
    count += 1
    return to.client.ask(`/characters/${name}${query}`, {
      method: 'PATCH',
      token: await to.session(gameId),
      body: JSON.stringify({ tag: 'stan', value: `Stan ${count}.` }),
    })
  }
  const post = (to: BuiltHost, path: string, body: object, token?: string): Promise<Reply> =>
    to.client.ask(path, {
      method: 'POST',
      body: JSON.stringify(body),
      ...(token === undefined ? {} : { token }),
    })
  const statusesOf = async (times: number, ask: () => Promise<Reply>): Promise<ReadonlyArray<number>> => {
    const seen = new Set<number>()
    for (let at = 0; at < times; at += 1) seen.add((await ask()).status)
    return [...seen]
  }

  it('lets 60 of one person through and refuses the 61st, and nobody else', async () => {
    // One a minute, so that none comes back while the test runs.
    const to = await start({ own_writes_per_minute: 1 })
    const brzoza = (query = '', name = 'Xeron') => write(to, '7001', name, query)
    deepEqual(await statusesOf(3, () => brzoza('?dryRun=true')), [200])
    deepEqual(await statusesOf(3, () => brzoza('', 'Kilgor')), [403])
    deepEqual(await statusesOf(3, () => write(to, '7001', 'Xeron', '?dryrun=x')), [400])
    deepEqual(await statusesOf(60, () => brzoza()), [200])
    const refused = await brzoza()
    equal(refused.status, 429, refused.text)
    const seconds = Number(refused.headers['retry-after'])
    ok(seconds >= 1 && seconds <= 60, String(seconds))
    equal(await to.metric('svc_http_rejected_total', { reason: 'rate' }), 1)
    deepEqual(await statusesOf(1, () => brzoza('?dryRun=true')), [200])
    const created = await post(to, '/characters', { name: 'Nowa' }, await to.session('7001'))
    equal(created.status, 429, created.text)
    // The account of the chat that is bound to this person, by the token of the machine.
    const register = (chatId: string, gameId: string) =>
      post(to, '/workflows/register-by-chat', { chatId, gameId, guildId: '900' })
    deepEqual([(await register('111', '7003')).status, (await register('222', '7003')).status], [429, 200])
    deepEqual(await statusesOf(3, () => write(to, '7002', 'Kilgor')), [200])
    const machine = () => {
      count += 1
      const body = JSON.stringify({ tag: 'stan', value: `Stan ${count}.` })
      return to.client.ask('/characters/Xeron', { method: 'PATCH', body })
    }
    deepEqual(await statusesOf(3, machine), [200])
  })

  it('lets the next one through after the seconds of Retry-After, and can be turned off', async () => {
    const to = await start({ own_writes_per_minute: 60, own_writes_burst: 1 })
    const refused = await eventually(
      () => write(to, '7001', 'Xeron'),
      ({ status }) => status === 429,
    )
    equal(refused.headers['retry-after'], '1')
    const passed = await eventually(
      () => write(to, '7001', 'Xeron'),
      ({ status }) => status === 200,
    )
    equal(passed.status, 200)
    await to.stop()
    const free = await start({ own_writes_per_minute: 0 })
    deepEqual(await statusesOf(70, () => write(free, '7001', 'Xeron')), [200])
  })
})
