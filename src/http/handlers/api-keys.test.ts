import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { left } from 'fp-ts/lib/Either.js'
import { refuse } from '#protocol/refusal.js'
import { callerByApiKey } from '#src/domain/identity/credentials/api-keys.js'
import { openApiKeys } from '#src/node/identity/identity.js'
import { callerWith, nodeView, nowMs, type TestFront, testFront } from '#test/support/front.js'
import { sqliteFull } from '#test/support/identity/claims.js'
import { isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const path = 'kontrybutorzy.md'
const files = {
  '.svc/format.json': '{"format": 2}',
  [path]: '## Gracz\n### Brzoza\n- @gameid: 100\n### Robot\n- @gameid: 300\n- @rola: Bot\n',
}
const robot = { ...callerWith(['apikey.manage.own'], 'Robot'), gameId: '300' }
const callers = {
  sess_robot: { ...robot, holds: new Set([...robot.holds, 'entity.read', 'identity.read']) },
  sess_weak: { ...callerWith(['apikey.manage'], 'Brzoza'), gameId: '100' },
}

describe('api keys over HTTP', () => {
  let front: TestFront
  beforeEach(async () => {
    front = await testFront({
      snapshot: worldOf(files),
      callers,
      kinds: { apik_: (token, snapshot) => (snapshot === null ? null : callerByApiKey(token, snapshot)) },
    })
  })
  afterEach(() => front.close())

  const issue = (gameId: string, query = '', token?: string) =>
    front.client.ask(`/api-keys${query}`, {
      method: 'POST',
      body: JSON.stringify({ gameId }),
      ...(token === undefined ? {} : { token }),
    })
  const claim = (code: string, token: string | null = null) =>
    front.client.ask(`/api-keys/claim/${code}`, { token })
  const store = (): string => textsOf(front.world() ?? worldOf(files))[path] ?? ''
  const field = (json: unknown, name: string): string => (isFields(json) ? String(json[name]) : '')

  it('a key is issued, claimed by anybody who has the code, and then speaks for its owner', async () => {
    const issued = await issue('300')
    equal(issued.status, 201)
    deepEqual(
      [field(issued.json, 'issued'), field(issued.json, 'name'), field(issued.json, 'openKeys')],
      ['300', 'Robot', '1'],
    )
    equal(field(issued.json, 'expires'), '2026-06-16T12:00:00.000Z')
    ok(!issued.text.includes('apik_'))
    const claimed = await claim(field(issued.json, 'claim'))
    equal(claimed.status, 200)
    equal(field(claimed.json, 'gameId'), '300')
    const key = field(claimed.json, 'key')
    const whoami = await front.client.ask('/auth/whoami', { token: key })
    deepEqual([whoami.status, isFields(whoami.json) && whoami.json['kind']], [200, 'api'])
    equal((await front.client.ask('/auth/whoami', { token: `${key}x` })).status, 401)
    match(store(), /### Robot\n- @gameid: 300\n- @rola: Bot\n- @klucz_api: sha256:[0-9a-f]{64}\n$/)
    ok(!store().includes(key))
  })

  it('a code is good once, and tells nothing of why it is not', async () => {
    const code = field((await issue('300')).json, 'claim')
    const two = await Promise.all([claim(code), claim(code)])
    deepEqual(two.map(reply => reply.status).sort(), [200, 404])
    const refused = [
      await claim(code),
      await claim('0'.repeat(64)),
      await claim('nie-kod'),
      await claim(code, 'sess_robot'),
    ]
    deepEqual(new Set(refused.map(reply => `${reply.status} ${reply.text}`)).size, 1)
    equal(field(refused[0]?.json, 'error'), 'ClaimNotFound')
  })

  it('a dry run shows where a key would stand, no hash of any, and makes none', async () => {
    const reply = await issue('300', '?dryRun=true')
    equal(reply.status, 200)
    match(reply.text, /"wouldIssue":"300"/)
    match(reply.text, /\+\[withheld\]/)
    ok(!reply.text.includes('sha256'))
    ok(!reply.text.includes('"claim"'))
    equal(store(), files[path])
  })

  const forbidden = [
    ['sess_robot', '100', 'apikey.manage'],
    ['sess_weak', '300', 'entity.read'],
  ] as const
  for (const [token, gameId, required] of forbidden)
    it(`${token} makes no key of ${gameId}`, async () => {
      const reply = await issue(gameId, '', token)
      deepEqual(
        [reply.status, field(reply.json, 'error'), field(reply.json, 'required')],
        [403, 'Forbidden', required],
      )
    })

  it('nobody has a key made while nobody can say what they may do', async () => {
    const torn = await testFront({ snapshot: worldOf({ ...files, '.svc/roles.json': '{"roles": {' }) })
    try {
      const body = JSON.stringify({ gameId: '100' })
      const reply = await torn.client.ask('/api-keys', { method: 'POST', body })
      deepEqual(
        [reply.status, field(reply.json, 'error'), field(reply.json, 'file')],
        [409, 'StoreUnreadable', '.svc/roles.json'],
      )
    } finally {
      await torn.close()
    }
  })

  it('nobody has no key', async () => {
    const reply = await issue('900')
    deepEqual([reply.status, field(reply.json, 'error')], [404, 'IdentityNotFound'])
  })

  it('a disk that takes nothing is told, and nothing is committed', async () => {
    const full = await testFront({
      snapshot: worldOf(files),
      node: nodeView({ apiKeys: openApiKeys(sqliteFull) }),
    })
    try {
      const reply = await full.client.ask('/api-keys', {
        method: 'POST',
        body: JSON.stringify({ gameId: '300' }),
      })
      deepEqual([reply.status, field(reply.json, 'error')], [503, 'DiskRefused'])
      const taken = await full.client.ask(`/api-keys/claim/${'0'.repeat(64)}`, { token: null })
      deepEqual([taken.status, field(taken.json, 'error')], [503, 'DiskRefused'])
      equal(textsOf(full.world() ?? worldOf({}))[path], files[path])
    } finally {
      await full.close()
    }
  })

  it('a key whose commit is refused is forgotten', async () => {
    const apiKeys = nodeView().apiKeys
    const codes: Array<string> = []
    const refusing = await testFront({
      snapshot: worldOf(files),
      node: nodeView({
        apiKeys: {
          ...apiKeys,
          mint: (...asked) => {
            const minted = apiKeys.mint(...asked)
            if (minted._tag === 'Right') codes.push(minted.right.code)
            return minted
          },
        },
      }),
      write: () => Promise.resolve(left(refuse('WriteRejected', 'Nie dziś.', { hook: 'test' }))),
    })
    try {
      const reply = await refusing.client.ask('/api-keys', {
        method: 'POST',
        body: JSON.stringify({ gameId: '300' }),
      })
      equal(reply.status, 422)
      deepEqual(
        codes.map(code => apiKeys.claim(code, nowMs)),
        [{ _tag: 'Right', right: null }],
      )
    } finally {
      await refusing.close()
    }
  })
})
