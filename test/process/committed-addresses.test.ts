import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { type ChatDouble, chatDouble } from '#test/support/chat/chat-double.js'
import { type Daemon, eventually, getJson, postJson, runCommand, startDaemon } from '#test/support/daemon.js'
import { type Repository, repositoryOf, temporaryFolder } from '#test/support/repository.js'

const config = '.svc/config.json'
const token = 'planted-bot-token-of-committed-addresses'
const message = { category: 'sesje', channel: 'solmyr-kanał', message: 'Cześć' }
const apiKey = 'integrations.chat.api_url'

const configText = (chat: object, server: object = {}): string =>
  JSON.stringify({
    server: { sync_interval_min: 600, publish_mode: 'none', selfheal_interval_ms: 100, ...server },
    integrations: { chat: { guild_id: '900', ...chat } },
  })

const codesIn = (body: unknown): string => JSON.stringify(body)

const hasLogged = (daemon: Daemon, event: string, text: string): boolean =>
  daemon
    .stderr()
    .split('\n')
    .some(line => line.includes(`"event":"${event}"`) && line.includes(text))

describe('an address that a commit changes', () => {
  let good: ChatDouble
  let evil: ChatDouble
  let repository: Repository
  let outside: ReturnType<typeof temporaryFolder>
  let daemon: Daemon | null = null
  beforeEach(async () => {
    outside = temporaryFolder()
    ;[good, evil] = [await chatDouble(), await chatDouble()]
    repository = repositoryOf({
      '.svc/format.json': '{"format": 2}',
      [config]: configText({ api_url: good.url }),
    })
  })
  afterEach(async () => {
    await stop()
    await good.close()
    await evil.close()
    repository.dispose()
    outside.dispose()
  })

  const environment = { SVC_CHAT_BOT_TOKEN: token }
  const start = async (
    env: Readonly<Record<string, string>> = environment,
    ...args: ReadonlyArray<string>
  ): Promise<Daemon> => {
    daemon = await startDaemon(['serve', '--repo', repository.path, ...args], env)
    return daemon
  }
  const stop = async (): Promise<void> => {
    if (daemon !== null) equal(await daemon.stop(), 0)
    daemon = null
  }
  const commitAddress = (url: string): void => {
    repository.commit({ [config]: configText({ api_url: url }) }, 'config: another address')
  }
  const send = async (at: Daemon): Promise<number> => (await postJson(at, '/chat/send', message)).status
  const trust = (...args: ReadonlyArray<string>) => runCommand(['trust', '--repo', repository.path, ...args])
  const trustFile = (): string => join(repository.path, '.svc/state/trust.json')
  const tokensAt = ({ requests }: ChatDouble): number =>
    requests.filter(({ headers }) => headers['authorization'] === `Bot ${token}`).length

  it('gets no token: the host goes on with the pinned one, and says so everywhere', async () => {
    const first = await start()
    equal(await send(first), 200)
    ok(hasLogged(first, 'address_pinned', apiKey))
    await stop()
    const before = tokensAt(good)
    ok(before > 0)
    commitAddress(evil.url)
    const second = await start()
    equal(await send(second), 200)
    deepEqual([evil.requests.length, tokensAt(good) > before], [0, true])
    ok(hasLogged(second, 'address_changed', apiKey))
    const health = await eventually(
      async () => codesIn((await getJson(second, '/health')).body),
      text => text.includes('address_changed'),
    )
    match(health, /"blocked":\[\{"code":"address_changed","count":1\}\]/)
    match(codesIn((await getJson(second, '/sync')).body), /kronika trust/)
    const doctor = await runCommand(['doctor', '--repo', repository.path])
    equal(doctor.code, 65)
    match(doctor.stdout, /config\.json:1: warning: .*\[AddressChanged\]/)
  })

  it('is reported as soon as it is committed, and no restart is asked for', async () => {
    const at = await start()
    commitAddress(evil.url)
    const health = await eventually(
      async () => codesIn((await getJson(at, '/health')).body),
      text => text.includes('address_changed'),
    )
    ok(!health.includes('config_differs'))
    commitAddress(`${good.url}/`)
    await eventually(
      async () => codesIn((await getJson(at, '/health')).body),
      text => text.includes('"blocked":[]'),
    )
  })

  it('is used once kronika trust accepted it, and a dry run accepts nothing', async () => {
    await start()
    await stop()
    commitAddress(evil.url)
    for (const args of [['--dry-run'], ['--dry-run', '--json']]) {
      const shown = await trust(...args)
      equal(shown.code, 0, shown.stderr)
      ok(shown.stdout.includes(good.url) && shown.stdout.includes(evil.url), shown.stdout)
    }
    equal(await send(await start()), 200)
    equal(evil.requests.length, 0)
    const accepted = await trust(apiKey)
    deepEqual([accepted.code, accepted.stdout.includes(`${good.url} -> ${evil.url}`)], [0, true])
    match(accepted.stderr, /Restart the host/)
    await stop()
    equal(await send(await start()), 200)
    ok(tokensAt(evil) > 0)
    match((await trust('--json')).stdout, /"changed": false/)
  })

  it('is not used where the operator gave one, in the variable or in the file of the token', async () => {
    commitAddress(evil.url)
    const file = join(outside.path, 'token')
    writeFileSync(file, `${token}\r\n${good.url}\r\n`)
    for (const env of [
      { SVC_CHAT_BOT_TOKEN: token, SVC_CHAT_URL: good.url },
      { SVC_CHAT_BOT_TOKEN_FILE: file },
    ]) {
      equal(await send(await start(env)), 200)
      match(codesIn((await getJson(daemon ?? (await start(env)), '/health')).body), /"blocked":\[\]/)
      await stop()
    }
    equal(await send(await start()), 200)
    equal(evil.requests.length, 0, 'what was given stays pinned where the variable is gone')
  })

  for (const [what, env] of [
    [
      'a variable that is no safe address',
      { SVC_CHAT_BOT_TOKEN: token, SVC_CHAT_URL: 'http://chat.example' },
    ],
    ['a variable with a password', { SVC_CHAT_BOT_TOKEN: token, SVC_CHAT_URL: 'https://a:b@chat.example' }],
  ] as const)
    it(`sends nothing anywhere where the given address is unusable: ${what}`, async () => {
      const at = await start(env)
      equal(await send(at), 503)
      ok(hasLogged(at, 'secret_unusable', 'SVC_CHAT_URL'), at.stderr())
      deepEqual([good.requests.length, evil.requests.length], [0, 0])
    })

  it('is refused after the key was empty, the file did not parse, and the file was gone', async () => {
    await start()
    await stop()
    repository.commit({ [config]: configText({}) }, 'config: no chat')
    equal(await send(await start()), 503)
    await stop()
    repository.commit({ [config]: '{' }, 'config: broken')
    await start()
    await stop()
    repository.git('rm', '-q', config)
    repository.git('commit', '-q', '-m', 'config: gone')
    await start()
    await stop()
    commitAddress(evil.url)
    equal(await send(await start()), 200)
    deepEqual([evil.requests.length, tokensAt(good) > 0], [0, true])
  })

  it('is not followed by a redirect of the pinned one', async () => {
    const statuses = [301, 302, 303, 307, 308]
    good.script(
      ...statuses.map(status => (response: ServerResponse, { url }: IncomingMessage) => {
        response.writeHead(status, { location: `${evil.url}${url ?? ''}` }).end()
      }),
    )
    const at = await start()
    await eventually(
      () => send(at),
      () => tokensAt(good) >= statuses.length,
    )
    deepEqual([evil.requests.length, await send(at)], [0, 200])
  })

  it('is pinned anew by a new state area, with a record that says so', async () => {
    await start()
    await stop()
    commitAddress(evil.url)
    const at = await start(environment, '--state', join(outside.path, 'state'))
    ok(hasLogged(at, 'address_pinned', evil.url), at.stderr())
  })

  it('stops the start where the record of pins cannot be read or written', async () => {
    await start()
    await stop()
    commitAddress(evil.url)
    const text = readFileSync(trustFile(), 'utf8')
    equal(statSync(trustFile()).mode & 0o777, 0o600)
    for (const damaged of ['', '{', '[]', text.slice(0, -9), `{"addresses": {"${apiKey}": 1}}`]) {
      writeFileSync(trustFile(), damaged)
      const { code, stderr } = await runCommand(['serve', '--repo', repository.path], environment)
      equal(code, 74)
      match(stderr, /trust\.json/)
    }
    match((await runCommand(['doctor', '--repo', repository.path])).stdout, /TrustUnreadable/)
    equal((await trust()).code, 74)
    rmSync(trustFile())
    mkdirSync(trustFile())
    equal((await runCommand(['serve', '--repo', repository.path], environment)).code, 74)
    equal(evil.requests.length, 0)
  })

  it('is written before the first use, and kronika trust makes a state area that has none', async () => {
    const state = join(outside.path, 'new')
    equal((await trust('--state', state, '--dry-run')).code, 0)
    equal(existsSync(state), false)
    equal((await trust('--state', state)).code, 0)
    commitAddress(evil.url)
    equal(await send(await start(environment, '--state', state)), 200)
    equal(evil.requests.length, 0)
    renameSync(state, join(outside.path, 'old'))
    equal((await trust('--state', state, '--tree', join(outside.path, 'nie-ma'))).code, 64)
  })
})
