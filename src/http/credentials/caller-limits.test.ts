import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { request } from 'node:http'
import { right } from 'fp-ts/lib/Either.js'
import { afterEach, describe, it } from 'mocha'
import { routes } from '#protocol/routes.js'
import { callerWith, nodeView, nowMs, quietMeter, type TestFront, testFront } from '#test/support/front.js'
import type { Reply } from '#test/support/http-client.js'
import { linkedFiles, makeLinkedWorld } from '#test/support/identity/linked-world.js'
import { worldOf } from '#test/support/world.js'
import { openBuckets, openSignInLimit, openWriteLimit } from './caller-limits.js'
import { clientNetworkBehind } from './client-address.js'

describe('the limit of the public sign-in routes', () => {
  let front: TestFront
  let atMs = nowMs
  let wallMs = (): number => atMs
  afterEach(() => front.close())

  const start = async (proxies: ReadonlyArray<string>): Promise<void> => {
    atMs = nowMs
    wallMs = () => atMs
    front = await testFront({
      signInLimit: openSignInLimit({ perMinute: 60, burst: 2 }, clientNetworkBehind(proxies)),
      clock: { nowMs: () => wallMs(), monotonicMs: () => atMs },
      node: nodeView(),
    })
  }
  const ask = (forwarded?: string): Promise<Reply> =>
    front.client.ask('/auth/game/challenge', {
      method: 'POST',
      token: null,
      ...(forwarded === undefined ? {} : { headers: { 'X-Forwarded-For': forwarded } }),
    })
  const statuses = async (...all: ReadonlyArray<string | undefined>): Promise<ReadonlyArray<number>> => {
    const seen: Array<number> = []
    for (const one of all) seen.push((await ask(one)).status)
    return seen
  }

  it('is 429 beyond the burst, with when to come again, and ends by itself', async () => {
    await start([])
    deepEqual(await statuses(undefined, undefined), [200, 200])
    const refused = await ask()
    equal(refused.status, 429)
    equal(refused.headers['retry-after'], '1')
    match(refused.text, /^\{"error":"TooManyRequests","detail":"Try again in 1 s\."/)
    atMs += 1_000
    deepEqual(await statuses(undefined, undefined), [200, 429])
  })

  it('lasts no longer when the wall clock is set back by an hour', async () => {
    await start([])
    deepEqual(await statuses(undefined, undefined, undefined), [200, 200, 429])
    wallMs = () => atMs - 3_600_000
    atMs += 1_000
    deepEqual(await statuses(undefined, undefined), [200, 429])
  })

  it('takes a header of a stranger for nothing: all local callers are one client', async () => {
    await start([])
    deepEqual(await statuses('203.0.113.1', '203.0.113.2', '203.0.113.3'), [200, 200, 429])
  })

  it('counts each client of a configured proxy for itself, IPv6 by its /64', async () => {
    await start(['127.0.0.1'])
    deepEqual(await statuses('203.0.113.1', '203.0.113.1', '203.0.113.1'), [200, 200, 429])
    deepEqual(await statuses('203.0.113.2', '9.9.9.9, 203.0.113.1'), [200, 429])
    deepEqual(
      await statuses('2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::3'),
      [200, 200, 429, 200],
    )
  })

  it('is asked before the body is read, and not of other routes', async () => {
    await start([])
    await statuses(undefined, undefined)
    equal((await front.client.ask('/health', { token: null })).status, 200)
    const large = await front.client.ask('/auth/game/challenge', {
      method: 'POST',
      token: null,
      body: Buffer.alloc(2 * 1024 * 1024),
    })
    equal(large.status, 429)
  })
})

describe('the rows that are limited', () => {
  it('are the public ones that sign in or guess a code', () => {
    const wanted = Object.values(routes)
      .filter(row => row.capability === null && (row.method === 'POST' || row.path.includes('{sha}')))
      .map(row => row.path)
    const limited = Object.values(routes).filter(row => 'limited' in row)
    deepEqual(limited.map(row => row.path).sort(), wanted.sort())
    ok(limited.length > 0)
  })
})

describe('the buckets of clients', () => {
  const rule = { perMinute: 60, burst: 2 }

  it('are forgotten when they are full again', () => {
    const buckets = openBuckets(rule)
    for (let at = 0; at < 100; at += 1) buckets.take(`client-${at}`, 0)
    equal(buckets.size(), 100)
    buckets.take('late', 1_000)
    equal(buckets.size(), 1)
  })

  it('are bounded: the longest unseen one goes, those that are heard of stay', () => {
    const buckets = openBuckets(rule, 10)
    buckets.take('loud', 0)
    for (let at = 0; at < 1_000; at += 1) {
      buckets.take(`client-${at}`, 0)
      buckets.take('loud', 0)
      ok(buckets.size() <= 10)
    }
    ok(buckets.take('loud', 0) !== null)
    equal(buckets.take('client-0', 0), null)
  })

  it('take back one request each, and nothing for a client that is forgotten', () => {
    const buckets = openBuckets(rule)
    buckets.giveBack('stranger', 0)
    equal(buckets.size(), 0)
    deepEqual(
      [0, 0, 0].map(at => buckets.take('one', at)),
      [null, null, 1_000],
    )
    buckets.giveBack('one', 0)
    deepEqual(
      [0, 0].map(at => buckets.take('one', at)),
      [null, 1_000],
    )
  })
})

describe('the limit of writes', () => {
  it('counts a write for all of its people or for none', () => {
    const limit = openWriteLimit({ perMinute: 30, burst: 2 })
    equal(limit.take(['b'], 0), null)
    equal(limit.take(['b'], 0), null)
    equal(limit.take(['a', 'b'], 0), 2_000)
    deepEqual([limit.take(['a'], 0), limit.take(['a'], 0), limit.take(['a'], 0)], [null, null, 2_000])
  })

  it('is none at 0 a minute, and lets one through where the burst is 0', () => {
    const none = openWriteLimit({ perMinute: 0, burst: 1 })
    for (let at = 0; at < 100; at += 1) equal(none.take(['a'], 0), null)
    const least = openWriteLimit({ perMinute: 30, burst: 0 })
    deepEqual([least.take(['a'], 0), least.take(['a'], 0), least.take(['a'], 2_000)], [null, 2_000, null])
  })
})

const lore = {
  '.svc/format.json': '{"format": 2}',
  'encje/indeks.md':
    '### Xeron\n- @typ: Postać\n- @należy_do: Solmyr\n### Obcy\n- @typ: Postać\n- @należy_do: Kilgor\n',
  'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n### Kilgor\n- @gameid: 2\n',
}

describe('the writes of one person', () => {
  let front: TestFront
  let atMs = 0
  let refusedFor: ReadonlyArray<string> = []
  afterEach(() => front.close())

  const start = async (options: Parameters<typeof testFront>[0] = {}): Promise<void> => {
    atMs = 0
    refusedFor = []
    const own = callerWith(['player.write.own', 'apikey.manage.own'], 'Solmyr')
    front = await testFront({
      snapshot: worldOf(lore),
      writeLimit: openWriteLimit({ perMinute: 30, burst: 3 }),
      clock: { nowMs: () => nowMs, monotonicMs: () => atMs },
      meter: { ...quietMeter, rejected: reason => void (refusedFor = [...refusedFor, reason]) },
      callers: {
        solmyr: own,
        'solmyr-by-key': { ...own, kind: 'api' },
        kilgor: callerWith(['player.write.own'], 'Kilgor'),
        narrator: callerWith(['player.write'], 'Solmyr'),
        reader: callerWith(['entity.read'], 'Solmyr'),
        'named-token': { ...callerWith(['player.write.own']), kind: 'named' },
      },
      ...options,
    })
  }
  let writes = 0
  const send = (token: string, name = 'Xeron', query = '', body?: string): Promise<Reply> => {
    writes += 1
    return front.client.ask(encodeURI(`/characters/${name}${query}`), {
      method: 'PATCH',
      token,
      body: body ?? JSON.stringify({ tag: 'info', value: `wpis ${writes}` }),
    })
  }
  const statuses = async (count: number, ...of: Parameters<typeof send>): Promise<ReadonlyArray<number>> => {
    const seen: Array<number> = []
    for (let at = 0; at < count; at += 1) seen.push((await send(...of)).status)
    return seen
  }

  it('are 429 beyond the burst with Retry-After, counted, and let through again as time passes', async () => {
    await start()
    deepEqual(await statuses(3, 'solmyr'), [200, 200, 200])
    const { status, headers, text } = await send('solmyr')
    deepEqual([status, headers['retry-after']], [429, '2'])
    match(text, /^\{"error":"TooManyRequests","detail":"Try again in 2 s\.","retryAfterSeconds":2\}/)
    deepEqual(refusedFor, ['rate'])
    atMs += 1_999
    deepEqual(await statuses(1, 'solmyr'), [429])
    atMs += 1
    deepEqual(await statuses(2, 'solmyr'), [200, 429])
  })

  it('share one limit over tokens and rows, and leave other people and full rights alone', async () => {
    await start()
    deepEqual(
      [...(await statuses(2, 'solmyr')), ...(await statuses(2, 'solmyr-by-key'))],
      [200, 200, 200, 429],
    )
    const made = await front.client.ask('/characters', {
      method: 'POST',
      token: 'solmyr',
      body: JSON.stringify({ name: 'Nowa', tags: { należy_do: 'Solmyr' } }),
    })
    const key = await front.client.ask('/api-keys', {
      method: 'POST',
      token: 'solmyr',
      body: JSON.stringify({ gameId: '1' }),
    })
    deepEqual([made.status, key.status], [429, 429])
    deepEqual(await statuses(1, 'kilgor', 'Obcy'), [200])
    deepEqual(await statuses(6, 'narrator'), [200, 200, 200, 200, 200, 200])
  })

  it('count reports of those who write no sessions', async () => {
    await start({
      callers: {
        player: callerWith(['session.report'], 'Solmyr'),
        narrator: callerWith(['session.report', 'session.write'], 'Solmyr'),
        'named-token': { ...callerWith(['session.report']), kind: 'named' },
      },
    })
    const report = async (token: string): Promise<number> => {
      writes += 1
      const told = { date: '2026-05-15', title: `Brama ${writes}`, narrators: ['Kilgor'], content: 'Tak.' }
      const { status } = await front.client.ask('/sessions/report', {
        method: 'POST',
        token,
        body: JSON.stringify(told),
      })
      return status
    }
    const seen: Array<number> = []
    for (const token of ['narrator', 'narrator', 'named-token', ...Array<string>(4).fill('player')])
      seen.push(await report(token))
    deepEqual(seen, [201, 201, 201, 201, 201, 201, 429])
    deepEqual([await report('narrator'), await report('named-token')], [201, 201])
  })

  it('cost nothing where they are dry runs, refused, or made by a token of no person', async () => {
    await start()
    deepEqual(await statuses(5, 'solmyr', 'Xeron', '?dryRun=true'), [200, 200, 200, 200, 200])
    const unknownTag = JSON.stringify({ tag: 'wzrost', value: '2' })
    deepEqual(await statuses(5, 'solmyr', 'Xeron', '', unknownTag), [422, 422, 422, 422, 422])
    deepEqual(await statuses(5, 'solmyr', 'Obcy'), [403, 403, 403, 403, 403])
    deepEqual(await statuses(5, 'solmyr', 'Xeron', '', '{'), [400, 400, 400, 400, 400])
    deepEqual(await statuses(5, 'named-token'), [403, 403, 403, 403, 403])
    deepEqual(await statuses(4, 'solmyr'), [200, 200, 200, 429])
    deepEqual(await statuses(1, 'solmyr', 'Xeron', '?dryRun=true'), [200])
  })

  it('cost nothing where the gate fails or throws', async () => {
    let broken = true
    await start({
      write: () => {
        if (broken) return Promise.reject(new Error('the gate is away'))
        return Promise.resolve(
          right({ status: null, body: { updated: 'Xeron', tag: 'info', changed: true }, commit: null }),
        )
      },
    })
    deepEqual(await statuses(5, 'solmyr'), [500, 500, 500, 500, 500])
    broken = false
    deepEqual(await statuses(4, 'solmyr'), [200, 200, 200, 429])
  })

  it('are no more where they come at once, by several tokens, among dry runs and refused ones', async () => {
    await start()
    const asked = Array.from({ length: 24 }, (_, at) => {
      const token = at % 2 === 0 ? 'solmyr' : 'solmyr-by-key'
      if (at % 8 === 6) return send(token, 'Xeron', '?dryRun=true')
      return at % 8 === 7 ? send(token, 'Obcy') : send(token)
    })
    const seen = (await Promise.all(asked)).map(({ status }) => status)
    // Three dry runs pass. A refused write that came early holds a place of the burst until it is refused.
    const made = seen.filter(status => status === 200).length - 3
    ok(made >= 0 && made <= 3, String(made))
    deepEqual(await statuses(4 - made, 'solmyr'), [...Array<number>(3 - made).fill(200), 429])
    ok(
      seen.every(status => [200, 403, 429].includes(status)),
      seen.join(),
    )
    deepEqual(await statuses(1, 'kilgor', 'Obcy'), [200])
  })

  it('count where the client leaves before the answer of a write that is made', async () => {
    let onWrite: () => void = () => undefined
    let land: () => void = () => undefined
    await start({
      write: async () => {
        onWrite()
        await new Promise<void>(resolve => {
          land = resolve
        })
        return right({ status: null, body: { updated: 'Xeron', tag: 'info', changed: true }, commit: null })
      },
    })
    for (let at = 0; at < 3; at += 1) {
      const planned = new Promise<void>(resolve => {
        onWrite = resolve
      })
      const body = JSON.stringify({ tag: 'info', value: `wpis ${at}` })
      const headers = { authorization: 'Bearer solmyr', 'content-type': 'application/json' }
      const leaving = request({
        ...{ host: '127.0.0.1', port: front.front.apiPort, method: 'PATCH', headers },
        path: '/v1/api/characters/Xeron',
      })
      leaving.on('error', () => undefined).end(body)
      await planned
      leaving.destroy()
      await new Promise<void>(resolve => leaving.once('close', resolve))
      land()
    }
    deepEqual(await statuses(1, 'solmyr'), [429])
  })

  it('are judged after the rights and the gate, and before the body is read', async () => {
    let closed = false
    await start({ gate: () => (closed ? { _tag: 'ReadOnly', detail: 'closed' } : null) })
    deepEqual(await statuses(3, 'solmyr'), [200, 200, 200])
    deepEqual(await statuses(1, 'reader'), [403])
    deepEqual(await statuses(1, 'unknown'), [401])
    const unknown = await front.client.ask('/characterz/X', { method: 'PATCH', token: 'solmyr', body: '{}' })
    equal(unknown.status, 404)
    const large = await front.client.ask('/characters/Xeron', {
      method: 'PATCH',
      token: 'solmyr',
      body: Buffer.alloc(2 * 1024 * 1024),
    })
    equal(large.status, 429)
    closed = true
    deepEqual(await statuses(1, 'solmyr'), [403])
  })

  it('count for the person of the account that decides a write of the chat', async () => {
    await start({
      snapshot: makeLinkedWorld({ 'encje/indeks.md': lore['encje/indeks.md'].replace('Solmyr', 'Brzoza') }),
      callers: { brzoza: callerWith(['player.write.own'], 'Brzoza') },
      node: nodeView({ chat: { guildId: '900', signInEnabled: false } }),
    })
    const register = async (chatId: string, gameId: string, query = ''): Promise<number> => {
      const body = JSON.stringify({ chatId, gameId, guildId: '900' })
      return (await front.client.ask(`/workflows/register-by-chat${query}`, { method: 'POST', body })).status
    }
    deepEqual([await register('111', '1', '?dryRun=true'), await register('111', '77')], [200, 404])
    deepEqual(await statuses(2, 'brzoza'), [200, 200])
    // 111 is bound to Brzoza, who has one write left.
    deepEqual([await register('111', '8'), await register('222', '9')], [200, 404])
    deepEqual(await statuses(1, 'brzoza'), [429])
    // An account that binds itself to one person after the other has the writes of one.
    deepEqual([await register('111', '1')], [200])
    deepEqual([await register('111', '8'), await register('444', '8')], [429, 200])
  })

  it('count for the account that decides an assignment, and not for the one that is bound', async () => {
    await start({ snapshot: worldOf(linkedFiles) })
    const assign = async (chatId: string): Promise<number> => {
      const body = {
        chatId,
        targetChatId: '222',
        gameId: writes % 2 === 0 ? '1' : '8',
        guildId: '900',
        roles: ['77'],
      }
      writes += 1
      const { status } = await front.client.ask('/workflows/assign-by-chat', {
        method: 'POST',
        body: JSON.stringify(body),
      })
      return status
    }
    const seen: Array<number> = []
    for (const chatId of ['555', '555', '555', '555', '666']) seen.push(await assign(chatId))
    deepEqual(seen, [200, 200, 200, 429, 200])
  })
})
