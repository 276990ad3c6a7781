import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, describe, it } from 'mocha'
import { LogPage } from '#protocol/host/events.js'
import { type Daemon, eventually, startDaemon } from '#test/support/daemon.js'
import { type Client, clientOf, type Reply } from '#test/support/http-client.js'
import { linkedFiles } from '#test/support/identity/linked-world.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'

const guildId = '900000000000000001'
const town = { id: '900000000000000072', name: 'Rada Miasta' }

interface Platform {
  readonly apiUrl: string
  /** What the guild has from now on; null: no answer. */
  readonly set: (roles: ReadonlyArray<typeof town> | null) => void
  readonly asked: () => number
  readonly close: () => void
}

/** As much of the platform as tells the roles of a guild. */
const openPlatform = async (): Promise<Platform> => {
  let now: ReadonlyArray<typeof town> | null = [town]
  let asked = 0
  const server = createServer((req, res) => {
    asked += 1
    const isRoles = req.url === `/api/guilds/${guildId}/roles` && now !== null
    res.writeHead(isRoles ? 200 : 503, { 'content-type': 'application/json' })
    res.end(JSON.stringify(isRoles ? now : {}))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    apiUrl: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/api`,
    set: roles => {
      now = roles
    },
    asked: () => asked,
    close: () => void server.close(),
  }
}

describe('assign-by-chat of the built daemon', () => {
  let platform: Platform
  let repository: Repository
  let daemon: Daemon
  let client: Client
  const start = async (env: Readonly<Record<string, string>>): Promise<void> => {
    platform = await openPlatform()
    const config = { integrations: { chat: { guild_id: guildId, api_url: platform.apiUrl } } }
    repository = repositoryOf({ ...linkedFiles, '.svc/config.json': JSON.stringify(config) })
    daemon = await startDaemon(['serve', '--repo', repository.path], env)
    client = clientOf({ port: Number(new URL(daemon.ready.url).port), token: daemon.token, recorded: true })
  }
  afterEach(async () => {
    await daemon.stop('SIGKILL')
    repository.dispose()
    platform.close()
  })
  const assign = (targetChatId: string, gameId: string, roles = [town.id]): Promise<Reply> =>
    client.ask('/workflows/assign-by-chat', {
      method: 'POST',
      body: JSON.stringify({ chatId: '333', guildId, roles, targetChatId, gameId }),
    })

  it('asks the guild, binds, audits, and asks again only where it must', async () => {
    await start({ SVC_CHAT_BOT_TOKEN: 'bot-of-the-assign-test' })
    const reply = await assign('222', '2')
    equal(reply.status, 200, reply.text)
    match(reply.text, /upoważnia do tego rola „Radny” \(na serwerze czatu: „Rada Miasta”\)\./)
    equal((await assign('444', '8')).status, 200)
    equal(platform.asked(), 1, 'the roles were kept')

    const audited = await eventually(
      async () => {
        const page = (await client.ask('/logs/audit')).json
        return LogPage.is(page) ? page.items.filter(one => one['action'] === 'identity.assign') : []
      },
      found => found.length === 2,
    )
    const { seq, at, intent, ...said } = audited[1] ?? {}
    ok(seq !== undefined && at !== undefined && intent !== undefined)
    deepEqual(said, {
      ...{ action: 'identity.assign', actor: 'chat:333', target: '222', gameId: '2', gracz: 'Żaneta' },
      ...{ role: 'Radny', guildRole: 'Rada Miasta', displaces: null, replaces: null },
      commit: reply.headers['x-svc-commit'],
    })

    platform.set([{ id: '900000000000000073', name: 'Rada Dawna' }, town])
    equal((await assign('555', '1', ['900000000000000073'])).status, 200)
    equal(platform.asked(), 2, 'a role that is held was not known')
    platform.set(null)
    equal((await assign('222', '1')).status, 200, 'roles that are kept give the authority')
    const unread = await assign('222', '1', ['900000000000000074'])
    match(`${unread.status} ${unread.text}`, /^503 .*"roles_unreadable"/)
  })
})
