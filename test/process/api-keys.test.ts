import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { after, before, describe, it } from 'mocha'
import { ApiKeyClaimed, ApiKeyIssued } from '#protocol/identity/sign-in.js'
import { type Daemon, eventually, startDaemon } from '#test/support/daemon.js'
import { clientOf } from '#test/support/http-client.js'
import { gitIn, type Repository, repositoryOf, temporaryFolder } from '#test/support/repository.js'
import { secrets } from '#test/support/secrets/secrets.js'

const files = {
  '.svc/format.json': '{"format": 2}',
  '.svc/config.json': '{"server": {"selfheal_interval_ms": 100}}',
  'kontrybutorzy.md': '## Gracz\n### Robot\n- @gameid: 300\n- @rola: Bot\n',
}

const clientFor = ({ ready }: Daemon, token: string | null) =>
  clientOf({ port: Number(new URL(ready.url).port), token, recorded: true })

describe('api keys of a daemon', () => {
  let repository: Repository
  let daemon: Daemon
  const start = async (): Promise<void> => {
    daemon = await startDaemon(['serve', '--repo', repository.path])
  }
  const issued = async (token = daemon.token): Promise<string> => {
    const body = JSON.stringify({ gameId: '300' })
    const reply = await clientFor(daemon, token).ask('/api-keys', { method: 'POST', body })
    const decoded = ApiKeyIssued.decode(reply.json)
    if (isLeft(decoded)) throw new Error(`${reply.status} ${reply.text}`)
    return decoded.right.claim
  }
  const claim = (code: string) => clientFor(daemon, null).ask(`/api-keys/claim/${code}`)
  const claimed = async (code: string): Promise<string> => {
    const decoded = ApiKeyClaimed.decode((await claim(code)).json)
    if (isLeft(decoded)) throw new Error('no key')
    return decoded.right.key
  }
  const whoami = (host: Daemon, key: string) => clientFor(host, key).ask('/auth/whoami')
  /** Every byte that the host keeps of its own. */
  const state = (): string =>
    readdirSync(daemon.ready.state, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
      .join('\n')

  before(async () => {
    repository = repositoryOf(files)
    await start()
  })
  after(async () => {
    await daemon.stop()
    repository.dispose()
  })

  it('are handed over once, to one of two at once, and never again after kill -9', async () => {
    const code = await issued()
    const two = await Promise.all([claim(code), claim(code)])
    deepEqual(two.map(reply => reply.status).sort(), [200, 404])
    const key = ApiKeyClaimed.decode(two.find(reply => reply.status === 200)?.json)
    ok(!isLeft(key))
    await daemon.stop('SIGKILL')
    await start()
    equal((await claim(code)).status, 404)
    equal((await whoami(daemon, key.right.key)).status, 200)
  })

  it('wait for their claim through kill -9', async () => {
    const code = await issued()
    await daemon.stop('SIGKILL')
    await start()
    equal((await whoami(daemon, await claimed(code))).status, 200)
  })

  it('are good on every host that has the commit, and make their owner’s next key', async () => {
    const key = await claimed(await issued())
    const folder = temporaryFolder()
    gitIn(folder.path, 'clone', '-q', repository.path, 'b')
    const other = await startDaemon(['serve', '--repo', join(folder.path, 'b')])
    try {
      match((await whoami(other, key)).text, /^\{"kind":"api","identity":\{"gameId":"300","name":"Robot"/)
    } finally {
      await other.stop()
      folder.dispose()
    }
    const next = await claimed(await issued(key))
    equal((await whoami(daemon, next)).status, 200)
    equal((await whoami(daemon, key)).status, 200)
    repository.commit({ 'kontrybutorzy.md': files['kontrybutorzy.md'] })
    const gone = await eventually(
      () => whoami(daemon, next),
      reply => reply.status === 401,
    )
    equal(gone.status, 401)
  })

  it('stand in the clear in no log, commit, metric or file of the host, and neither does their code', async () => {
    const code = await issued()
    const key = await claimed(code)
    secrets.plant('a claim code', code)
    secrets.plant('an api key', key)
    equal((await whoami(daemon, key)).status, 200)
    equal((await whoami(daemon, `${key}x`)).status, 401)
    const machine = clientFor(daemon, daemon.token)
    const requests = await eventually(
      () => machine.ask('/logs/request'),
      ({ text }) => /"path":"\/api-keys\/claim\/\[redacted\]"/.test(text),
    )
    const others = await Promise.all(['audit', 'operational'].map(name => machine.ask(`/logs/${name}`)))
    const streams = [requests, ...others]
    const metrics = await (await fetch(`${daemon.ready.ops}/metrics`)).text()
    match(metrics, /svc_auth_attempts_total\{[^}]*method="api"[^}]*result="accepted"[^}]*\} [1-9]/)
    match(metrics, /svc_auth_attempts_total\{[^}]*method="api"[^}]*result="refused"[^}]*\} [1-9]/)
    const told = [...streams.map(reply => reply.text), metrics, daemon.stderr(), state()]
    const commits = gitIn(repository.path, 'log', '-p', '--all')
    match(commits, /\+- @klucz_api: sha256:[0-9a-f]{64}/)
    for (const text of [...told, commits]) for (const secret of [code, key]) ok(!text.includes(secret))
  })
})
