import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import * as t from 'io-ts'
import { after, before, describe, it } from 'mocha'
import { type Daemon, startDaemon } from '#test/support/daemon.js'
import { askTarget, type Client, clientOf, type Reply } from '#test/support/http-client.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'
import { secrets } from '#test/support/secrets/secrets.js'

const random = (prefix = ''): string => prefix + randomBytes(33).toString('base64url')
const { privateKey } = generateKeyPairSync('ed25519')

/** Credentials of every kind that a host is given by its operator. */
const environment = {
  SVC_CHAT_BOT_TOKEN: random('MTIz.'),
  SVC_FORGE_TOKEN: random('forge-'),
  SVC_FLEET_KEY: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
}

/** A key that somebody put where only a hash may stand, and a password of a remote. */
const [rawKey, remoteWord] = [random('apik_'), random('pw-')]

const files = {
  '.svc/format.json': '{"format": 2}\n',
  '.svc/config.json': JSON.stringify({ server: { sync_remote: 'origin', selfheal_interval_ms: 50 } }),
  'kontrybutorzy.md': '## Gracz\n### Robot\n- @gameid: 300\n- @rola: Bot\n',
}

const portOf = (url: string): number => Number(new URL(url).port)
const Told = t.type({ token: t.string })
const Issued = t.type({ claim: t.string })
const ClaimedRight = t.type({ key: t.string })

describe('secrets of a daemon', () => {
  let repository: Repository
  let daemon: Daemon
  let client: Client
  let earlier: ReturnType<typeof secrets.counts>
  let leaksBefore = 0
  const handed: Array<string> = []

  before(async () => {
    earlier = secrets.counts()
    leaksBefore = secrets.leaks().length
    repository = repositoryOf(files)
    repository.git('remote', 'add', 'origin', `https://user:${remoteWord}@127.0.0.1:1/lore.git`)
    ok(secrets.plant('the password of a remote', remoteWord))
    daemon = await startDaemon(['serve', '--repo', repository.path], environment)
    client = clientOf({ port: portOf(daemon.ready.url), token: daemon.token, recorded: true })
  })
  after(async () => {
    if (daemon.process.exitCode === null) await daemon.stop('SIGKILL')
    repository.dispose()
  })

  const post = (path: string, body: object, token?: string | null): Promise<Reply> =>
    client.ask(path, {
      method: 'POST',
      body: JSON.stringify(body),
      ...(token === undefined ? {} : { token }),
    })

  it('are handed out and shown, good and bad, in every way that there is', async () => {
    const named = await post('/tokens', { name: 'kopia', capabilities: ['entity.read', 'log.read'] })
    const issued = await post('/api-keys', { gameId: '300' })
    ok(Told.is(named.json) && Issued.is(issued.json), `${named.text} ${issued.status}`)
    const claimed = await client.ask(`/api-keys/claim/${issued.json.claim}`, { token: null })
    ok(ClaimedRight.is(claimed.json), String(claimed.status))
    handed.push(named.json.token, issued.json.claim, claimed.json.key)
    for (const token of [named.json.token, claimed.json.key])
      equal((await client.ask('/entities', { token })).status, 200)
    equal((await client.ask(`/api-keys/claim/${issued.json.claim}`, { token: null })).status, 404)
    for (const token of [random('sess_'), random('fsess_e30.'), rawKey, random('named_00.'), random()])
      equal((await client.ask('/entities', { token })).status, 401)
    const game = {
      user_id: '300',
      token: random(),
      ts: 1,
      signatureBase64: randomBytes(256).toString('base64'),
    }
    ok((await post('/auth/game', game, null)).status >= 400)
    ok((await post('/auth/chat', { id_token: random('eyJ.') }, null)).status >= 400)
    ok((await post(`/auth/chat?id_token=${random()}`, { id_token: [random()] }, null)).status >= 400)
    ok((await post('/sync', {})).text.includes('127.0.0.1'), 'the address is told, its password is not')
  })

  it('are in no answer that tells of records, and in no metric', async () => {
    for (const path of ['/logs/operational', '/logs/request', '/logs/audit', '/events/journal', '/tokens'])
      equal((await client.ask(`${path}?limit=1000`)).status, 200, path)
    const metrics = await askTarget(portOf(daemon.ready.ops), '/metrics')
    match(metrics.text, /svc_auth_attempts_total/)
    equal((await client.ask('/audit/changes?limit=100')).status, 200)
  })

  it('are in nothing that it wrote when it ends: logs, state area, commits', async () => {
    equal(await daemon.stop(), 0)
    const now = secrets.counts()
    ok(
      now.secrets - earlier.secrets >= handed.length + Object.keys(environment).length + 6,
      'all are planted',
    )
    ok(now.outputs - earlier.outputs >= 30, `${now.outputs - earlier.outputs} outputs were searched`)
    deepEqual(secrets.leaks().slice(leaksBefore), [])
    ok(repository.git('log', '--format=%s').includes('api-keys'), 'the hash of the key was committed')
  })
})
