import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { challengesMax } from '#protocol/identity/sign-in.js'
import { eventually } from '#test/support/daemon.js'
import type { Reply } from '#test/support/http-client.js'
import { signEnvelope, testGameKey } from '#test/support/identity/game-envelopes.js'
import { tokenOf } from '#test/support/identity/game-sign-in-rig.js'
import { type KeyServer, keyServer } from '#test/support/identity/key-server.js'
import { startNode, type TestNode } from '#test/support/node.js'
import { secrets } from '#test/support/secrets/secrets.js'

const pem = (): string => testGameKey().publicKey.export({ format: 'pem', type: 'spki' }).toString()
const jwk = (): string => JSON.stringify(testGameKey().publicKey.export({ format: 'jwk' }))

const files = (config: object): Readonly<Record<string, string>> => ({
  '.svc/format.json': '{"format": 2}\n',
  '.svc/config.json': JSON.stringify(config),
  'kontrybutorzy.md': '## Gracz\n\n### Brzoza\n- @gameid: 7001\n- @rola: Narrator\n',
})

const nowS = (): number => Math.floor(Date.now() / 1000)

describe('game sign-in of a whole node, with a key server on loopback', () => {
  let keys: KeyServer
  let node: TestNode | null = null
  beforeEach(async () => {
    keys = await keyServer(pem())
  })
  afterEach(async () => {
    await node?.stop()
    node = null
    await keys.close()
  })

  const started = async (game: object = {}, server: object = {}): Promise<TestNode> => {
    node = await startNode({
      files: files({ server, integrations: { game: { signing_key_url: keys.url, ...game } } }),
    })
    return node
  }
  const post = (to: TestNode, path: string, body?: object, headers = {}): Promise<Reply> =>
    to.client.ask(path, {
      method: 'POST',
      token: null,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const signIn = (to: TestNode, token = 'zeton', userId = '7001'): Promise<Reply> => {
    const body = signEnvelope({ userId, token, ts: nowS() })
    ok(secrets.plant('a signature of the game', body.signatureBase64))
    return post(to, '/auth/game', body)
  }
  const challenge = async (to: TestNode): Promise<string> => {
    const [, text = ''] = /"challenge":"(\w+)"/.exec((await post(to, '/auth/game/challenge')).text) ?? []
    ok(secrets.plant('a challenge', text))
    return text
  }

  it('opens sessions that are known at once, and fetches the key one time', async () => {
    const to = await started()
    const replies = await Promise.all(Array.from({ length: 8 }, () => signIn(to)))
    for (const reply of replies) equal(reply.status, 200, reply.text)
    const tokens = replies.map(tokenOf)
    equal(new Set(tokens).size, 8)
    for (const token of tokens) {
      const who = await to.client.ask('/auth/whoami', { token })
      equal(who.status, 200, who.text)
      match(who.text, /"Brzoza"/)
    }
    equal(keys.fetches(), 1)
    equal(await to.metric('svc_auth_attempts_total', { method: 'game', result: 'accepted' }), 8)
    equal(await to.metric('svc_auth_key_fetches_total', { source: 'game', result: 'ok' }), 1)
  })

  it('takes the key as a JWK too', async () => {
    keys.publish(jwk())
    equal((await signIn(await started())).status, 200)
  })

  it('writes a refusal into the audit stream with its reason, and nothing of what was sent', async () => {
    const to = await started()
    const body = signEnvelope({ userId: '7001', token: 'podstawiony-zeton', ts: nowS() })
    equal((await post(to, '/auth/game', { ...body, token: 'inny-podstawiony-zeton' })).status, 401)
    const lines = await eventually(
      async () => (await to.client.ask('/logs/audit')).text,
      text => text.includes('credential.refused'),
    )
    match(
      lines,
      /"action":"credential\.refused","actor":"nobody","signIn":"game","reason":"SignatureInvalid"/,
    )
    ok(!lines.includes('podstawiony') && !lines.includes(body.signatureBase64.slice(0, 20)), lines)
    equal(await to.metric('svc_auth_attempts_total', { method: 'game', result: 'refused' }), 1)
  })

  it('works in read-only mode: it writes private records alone', async () => {
    const to = await started({ require_challenge: true }, { read_only: true })
    const before = to.repository.head()
    equal((await signIn(to, await challenge(to))).status, 200)
    equal(to.repository.head(), before)
    equal(to.repository.git('status', '--porcelain'), '')
  })

  it('shows outstanding challenges in a metric, and burns them', async () => {
    const to = await started({ require_challenge: true })
    const [first, second] = [await challenge(to), await challenge(to)]
    equal(await to.metric('svc_auth_challenges'), 2)
    const replies = await Promise.all([signIn(to, first), signIn(to, first)])
    deepEqual(replies.map(reply => reply.status).sort(), [200, 401])
    equal(await to.metric('svc_auth_challenges'), 1)
    equal((await signIn(to, second)).status, 200)
    equal(await to.metric('svc_auth_challenges'), 0)
  })

  it('is 503 while the key cannot be had, and the rest goes on', async () => {
    keys.publish(null)
    const to = await started()
    const refused = await signIn(to)
    deepEqual([refused.status, refused.text.slice(0, 25)], [503, '{"error":"SigningKeyAway"'])
    equal((await to.client.ask('/health', { token: null })).status, 200)
    equal(await to.metric('svc_auth_attempts_total', { method: 'game', result: 'unavailable' }), 1)
  })

  it('is 503 where no URL is configured, and asks nobody', async () => {
    const to = await started({ signing_key_url: '' })
    match((await signIn(to)).text, /"error":"game_auth_disabled"/)
    equal(keys.fetches(), 0)
  })

  it('keeps a challenge for each client of a configured proxy while one of them floods', async () => {
    const to = await started({}, { sign_in_per_minute: 0, trusted_proxies: ['127.0.0.1'] })
    const from = async (address: string): Promise<number> =>
      (await post(to, '/auth/game/challenge', undefined, { 'X-Forwarded-For': address })).status
    for (let at = 0; at < challengesMax; at += 1) equal(await from('203.0.113.1'), 200)
    deepEqual([await from('203.0.113.1'), await from('203.0.113.2')], [429, 200])
    equal(await to.metric('svc_auth_challenges'), challengesMax)
    ok(!JSON.stringify(to.records).includes('203.0.113.'), 'an address of a client is in the log')
  })

  it('is limited per client of a configured proxy, as the configuration says', async () => {
    const to = await started({}, { sign_in_per_minute: 1, sign_in_burst: 2, trusted_proxies: ['127.0.0.1'] })
    const from = async (address: string): Promise<number> =>
      (await post(to, '/auth/game/challenge', undefined, { 'X-Forwarded-For': address })).status
    const seen = [await from('203.0.113.1'), await from('203.0.113.1'), await from('203.0.113.1')]
    deepEqual([...seen, await from('203.0.113.2')], [200, 200, 429, 200])
    equal(await to.metric('svc_http_rejected_total', { reason: 'shed' }), 1)
    ok(!JSON.stringify(to.records).includes('203.0.113.'), 'an address of a client is in the log')
  })
})
