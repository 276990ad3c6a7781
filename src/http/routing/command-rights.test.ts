import { deepEqual, equal, ok } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { identitiesOf } from '#src/domain/identity/callers.js'
import { loginCaller, tokenHash } from '#src/domain/identity/credentials/tokens.js'
import { grantsPath } from '#src/domain/identity/grants.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { nodeView, nowMs, type TestFront, testFront } from '#test/support/front.js'
import { jobsInMemory } from '#test/support/jobs.js'
import { isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'
import { makeWritingWorld } from '#test/support/writing-world.js'

const store = (id: string): string => `## Gracz\n### Brzoza\n- @gameid: ${id}\n### Cis\n- @gameid: 200\n`
const grantsText = (...held: ReadonlyArray<readonly [gameId: string, capability: string]>): string =>
  JSON.stringify({
    grants: held.map(([gameId, capability]) => ({
      gameId,
      capability,
      since: '2026-01-01T00:00:00Z',
      by: 'machine',
    })),
  })
const worldWith = (grants: string, id = '100'): Snapshot =>
  worldOf({
    '.svc/format.json': '{"format": 2}',
    'encje/indeks.md':
      '### Lis\n- @typ: Postać\n- @należy_do: Brzoza\n### Sowa\n- @typ: Postać\n- @należy_do: Cis\n',
    'kontrybutorzy.md': store(id),
    [grantsPath]: grants,
  })

const token = 'sess_brzoza'
const find = loginCaller(hash =>
  hash === tokenHash(token).toString('hex')
    ? { hash: tokenHash(token), right: { gameId: '100', chatId: null, expiresMs: nowMs + 1000 } }
    : null,
)

describe('a write that is planned on another snapshot than its caller was let in on', () => {
  let front: TestFront
  let planned: Snapshot
  const jobs = jobsInMemory()
  beforeEach(async () => {
    front = await testFront({
      kinds: {
        sess_: find,
      },
      write: (command, plan) => makeWritingWorld(planned, { nowMs, keeps: true, plan }).write(command),
      node: nodeView({ jobs }),
    })
  })
  afterEach(() => front.close())

  /** Sends a request while `before` is served; the write is planned on `after`. */
  const ask = (before: Snapshot, after: Snapshot, method: string, path: string, body: object | null) => {
    front.serve(before)
    planned = after
    return front.client.ask(path, { method, token, ...(body === null ? {} : { body: JSON.stringify(body) }) })
  }
  const said = (json: unknown): unknown => (isFields(json) ? [json['error'], json['required']] : json)

  const rows = [
    ['POST', '/entities', { name: 'Karczma', type: 'Lokacja' }, 'entity.write'],
    ['POST', '/capabilities/revoke', { gameId: '200', capability: 'pu.read' }, 'capability.admin'],
    ['POST', '/capabilities/grant', { gameId: '200', capability: 'pu.read' }, 'capability.admin'],
    ['POST', '/auth/link', { chatId: '77', gameId: '200' }, 'identity.link'],
    ['POST', '/api-keys', { gameId: '200' }, 'apikey.manage'],
    ['PATCH', '/characters/Sowa', { tag: 'stan', value: 'Zdrowy.' }, 'player.write'],
  ] as const
  for (const [method, path, body, capability] of rows)
    it(`${method} ${path} is 403 where ${capability} was taken meanwhile`, async () => {
      const before = worldWith(grantsText(['100', capability], ['100', 'pu.read'], ['200', 'pu.read']))
      const stands = await ask(before, before, method, path, body)
      ok(stands.status < 300, stands.text)
      const after = worldWith(grantsText(['100', 'pu.read'], ['200', 'pu.read']))
      const refused = await ask(before, after, method, path, body)
      deepEqual([refused.status, said(refused.json)], [403, ['Forbidden', capability]])
    })

  it('gives nothing on the strength of what its caller held before', async () => {
    const holding = (...more: ReadonlyArray<string>) =>
      worldWith(
        grantsText(
          ...['capability.admin', 'identity.link', 'apikey.manage', ...more].map(
            one => ['100', one] as const,
          ),
          ['200', 'pu.award'],
        ),
      )
    for (const [path, body] of [
      ['/capabilities/grant', { gameId: '200', capability: 'pu.award' }],
      ['/auth/link', { chatId: '77', gameId: '200' }],
      ['/api-keys', { gameId: '200' }],
    ] as const) {
      const reply = await ask(holding('pu.award'), holding(), 'POST', path, body)
      ok(isFields(reply.json))
      deepEqual([path, reply.status, reply.json['error']], [path, 403, 'Forbidden'])
      ok(
        !String(reply.json['detail']).startsWith('The token lacks the capability '),
        'the rule of the row refuses, not its capability',
      )
    }
    const given = await ask(holding(), holding('pu.award'), 'POST', '/auth/link', {
      chatId: '77',
      gameId: '200',
    })
    equal(given.status, 200, 'and what was given meanwhile counts')
  })

  it('is 401 where the id is nobody’s any more', async () => {
    const before = worldWith(grantsText(['100', 'entity.write']))
    const after = worldWith(grantsText(['100', 'entity.write']), '300')
    const reply = await ask(before, after, 'POST', '/entities', { name: 'Karczma', type: 'Lokacja' })
    equal(reply.status, 401)
    equal(identitiesOf(after).byGameId('100'), null)
  })

  it('is 403 where the right fell from the wide form to the own, even for what is the caller’s', async () => {
    const wide = worldWith(grantsText(['100', 'player.write']))
    const own = worldWith(grantsText())
    const body = { tag: 'stan', value: 'Zdrowy.' }
    equal((await ask(own, own, 'PATCH', '/characters/Lis', body)).status, 200)
    equal((await ask(wide, own, 'PATCH', '/characters/Lis', body)).status, 403)
    equal((await ask(own, wide, 'PATCH', '/characters/Lis', body)).status, 200)
  })

  it('is refused in a job as in a request', async () => {
    const before = worldWith(grantsText(['100', 'session-registry.regenerate']))
    const reply = await ask(
      before,
      worldWith(grantsText()),
      'POST',
      '/session-registry/regenerate?async=true',
      {},
    )
    equal(reply.status, 202, reply.text)
    const id = isFields(reply.json) ? String(reply.json['jobId']) : ''
    const job = jobs.find(id)
    ok(JSON.stringify(job).includes('Forbidden'), JSON.stringify(job))
  })
})
