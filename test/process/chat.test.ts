import { deepEqual, equal, ok } from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as t from 'io-ts'
import { afterEach, beforeEach, describe, it } from 'mocha'
import {
  type ChatDouble,
  chatDouble,
  type DoubleReply,
  errorBody,
  roleBody,
} from '#test/support/chat/chat-double.js'
import { type Daemon, type DaemonReply, postJson, startDaemon } from '#test/support/daemon.js'
import { linkedFiles } from '#test/support/identity/linked-world.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'

const token = 'planted-bot-token-of-the-daemon'
const rada: DoubleReply = { status: 200, body: [roleBody('71', 'Narratorzy'), roleBody('72', 'Rada Miasta')] }

describe('the chat platform as the built daemon asks it', () => {
  let folder = ''
  let double: ChatDouble
  let repository: Repository
  let daemon: Daemon | null = null
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kronika-chat-'))
    double = await chatDouble()
    const chat = { api_url: double.url, guild_id: '900' }
    repository = repositoryOf({
      ...linkedFiles,
      '.svc/config.json': JSON.stringify({ integrations: { chat } }),
    })
  })
  afterEach(async () => {
    if (daemon !== null) equal(await daemon.stop(), 0)
    daemon = null
    await double.close()
    repository.dispose()
    rmSync(folder, { recursive: true })
  })

  const start = async (env: Readonly<Record<string, string>>): Promise<Daemon> => {
    daemon = await startDaemon(['serve', '--repo', repository.path], env)
    return daemon
  }
  const assign = (at: Daemon, roles: ReadonlyArray<string>): Promise<DaemonReply> =>
    postJson(at, '/workflows/assign-by-chat?dryRun=true', {
      chatId: '333',
      roles,
      targetChatId: '222',
      gameId: '2',
      guildId: '900',
    })
  const errorOf = ({ body }: DaemonReply): string => (t.type({ error: t.string }).is(body) ? body.error : '')
  const outbound = async (at: Daemon): Promise<ReadonlyArray<string>> =>
    (await (await fetch(`${at.ready.ops}/metrics`)).text())
      .split('\n')
      .filter(line => line.startsWith('svc_outbound_requests_total'))

  it('decides by the roles of the guild, with a token from a file: kept, and fetched once more for who holds none', async () => {
    const path = join(folder, 'token')
    writeFileSync(path, `${token}\n`)
    const at = await start({ SVC_CHAT_BOT_TOKEN_FILE: path })
    double.script(rada, rada)
    equal((await assign(at, ['72'])).status, 200)
    equal((await assign(at, ['72'])).status, 200)
    equal(double.requests.length, 1)
    deepEqual([errorOf(await assign(at, ['70'])), double.requests.length], ['not_authorised', 2])
    const [seen] = double.requests
    equal(`${seen?.method ?? ''} ${seen?.path ?? ''}`, 'GET /guilds/900/roles')
    equal(seen?.headers['authorization'], `Bot ${token}`)
    deepEqual(await outbound(at), ['svc_outbound_requests_total{target="chat",code="200"} 2'])
  })

  it('is not asked without a token: the roles are unreadable, nobody is unauthorised', async () => {
    const at = await start({ SVC_CHAT_BOT_TOKEN: '' })
    for (const roles of [['72'], ['70']]) {
      const answer = await assign(at, roles)
      deepEqual([answer.status, errorOf(answer)], [503, 'roles_unreadable'])
    }
    equal(double.requests.length, 0)
    deepEqual(await outbound(at), [])
    ok(at.stderr().includes('"why":"NoBotToken"'))
  })

  it('is not asked with a token that cannot be one, and the token is not told', async () => {
    const at = await start({ SVC_CHAT_BOT_TOKEN: `${token}\nX-Other: 1` })
    equal(errorOf(await assign(at, ['72'])), 'roles_unreadable')
    equal(double.requests.length, 0)
    ok(at.stderr().includes('secret_unusable'))
    ok(!at.stderr().includes(token))
  })

  it('that refuses the token, and tells it back, leaves no trace of it', async () => {
    const at = await start({ SVC_CHAT_BOT_TOKEN: token })
    double.script({ status: 401, headers: { 'x-token': token }, body: errorBody(`Bot ${token}`) })
    for (let count = 0; count < 3; count += 1) {
      const answer = await assign(at, ['72'])
      deepEqual([answer.status, errorOf(answer)], [503, 'roles_unreadable'])
      ok(!JSON.stringify(answer.body).includes(token))
    }
    deepEqual(
      double.requests.map(({ headers }) => headers['authorization']),
      [`Bot ${token}`],
    )
    ok(at.stderr().includes('chat_token_refused'))
    ok(!`${at.stderr()}${at.stdout()}`.includes(token))
  })
})
