import { deepEqual, equal, ok } from 'node:assert/strict'
import { join } from 'node:path'
import * as t from 'io-ts'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { type ChatDouble, chatDouble } from '#test/support/chat/chat-double.js'
import {
  type Daemon,
  type DaemonReply,
  eventually,
  getJson,
  postJson,
  startDaemon,
} from '#test/support/daemon.js'
import {
  gitIn,
  type Repository,
  repositoryOf,
  temporaryFolder,
  writeFiles,
} from '#test/support/repository.js'

const token = 'planted-bot-token-of-deliveries'
const channel = { category: 'sesje', channel: 'solmyr-kanał' }
const Message = t.type({ content: t.string, nonce: t.string })
const Deliveries = t.type({
  items: t.array(t.type({ status: t.string, attempts: t.number, channel: t.string })),
})

describe('messages to the chat as the built daemon sends them', () => {
  let double: ChatDouble
  let repository: Repository
  let daemon: Daemon | null = null
  beforeEach(async () => {
    double = await chatDouble()
    repository = repositoryOf({
      '.svc/format.json': '{"format": 2}',
      '.svc/config.json': JSON.stringify({
        server: { sync_interval_min: 60, publish_mode: 'none' },
        integrations: {
          chat: {
            api_url: double.url,
            guild_id: '900',
            converge_announce: { channel: 'sesje/solmyr-kanał' },
          },
        },
      }),
    })
  })
  afterEach(async () => {
    if (daemon !== null) equal(await daemon.stop(), 0)
    daemon = null
    await double.close()
    repository.dispose()
  })

  const start = async (): Promise<Daemon> => {
    daemon = await startDaemon(['serve', '--repo', repository.path], { SVC_CHAT_BOT_TOKEN: token })
    return daemon
  }
  const send = (at: Daemon, body: object, query = ''): Promise<DaemonReply> =>
    postJson(at, `/chat/send${query}`, body)
  const deliveries = async (at: Daemon) => {
    const { body } = await getJson(at, '/chat/deliveries')
    if (!Deliveries.is(body)) throw new Error('the deliveries have another shape')
    return body.items.map(({ status, attempts }) => `${status} ${attempts}`)
  }
  const asked = (): ReadonlyArray<string> => double.requests.map(({ method, path }) => `${method} ${path}`)
  const messages = () =>
    double.requests.flatMap(({ method, body }) => {
      const read: unknown = method === 'POST' ? JSON.parse(body) : null
      return Message.is(read) ? [read] : []
    })

  it('finds the channel by its names, sends once, and records it; a dry run does neither', async () => {
    const at = await start()
    equal((await send(at, { ...channel, message: 'Cześć' }, '?dryRun=true')).status, 200)
    deepEqual([asked(), await deliveries(at)], [[], []])
    const sent = await send(at, { ...channel, message: 'Cześć' })
    const answer = { Delivered: true, Result: 'SENT', Entity: null, Message: 'Cześć' }
    deepEqual([sent.status, sent.body], [200, answer])
    deepEqual(asked(), ['GET /guilds/900/channels', 'POST /channels/11/messages'])
    equal((await send(at, { ...channel, channel: 'inny', message: 'x' })).status, 404)
    deepEqual(asked().slice(2), ['GET /guilds/900/channels'])
    deepEqual(await deliveries(at), ['sent 1'])
    const metrics = await (await fetch(`${at.ready.ops}/metrics`)).text()
    ok(metrics.includes('svc_chat_deliveries_total{operation="message",result="sent"} 1'))
    ok(metrics.includes('svc_chat_outbox_rows{status="sent"} 1'))
    ok(metrics.includes('svc_dispatch_enactments_total{kind="close",result="failed"} 0'))
  })

  it('announces a converge that brought commits of others, once', async () => {
    const folder = temporaryFolder()
    const [remote, other] = [join(folder.path, 'lore.git'), join(folder.path, 'other')]
    gitIn(folder.path, 'clone', '-q', '--bare', repository.path, remote)
    repository.git('remote', 'add', 'origin', remote)
    const at = await start()
    equal((await postJson(at, '/sync', {})).status, 200)
    deepEqual(messages(), [])
    gitIn(folder.path, 'clone', '-q', remote, other)
    writeFiles(other, { 'nowe.md': 'Nowe.\n' })
    gitIn(other, 'add', '-A')
    gitIn(other, 'commit', '-q', '-m', 'nowe', '--author=Żaneta Łuk <z@example.org>')
    gitIn(other, 'push', '-q', 'origin', 'HEAD')
    for (let count = 0; count < 2; count += 1) equal((await postJson(at, '/sync', {})).status, 200)
    await eventually(
      () => deliveries(at),
      listed => listed.join() === 'sent 1',
    )
    deepEqual(
      messages().map(({ content }) => content),
      ['Nowe zmiany w kronice: 1. Autorzy: Żaneta Łuk.'],
    )
    folder.dispose()
  })

  it('goes on after kill -9 in the middle of a request, with the same nonce', async () => {
    const first = await start()
    double.script('well', () => undefined)
    const lost = send(first, { ...channel, message: 'Cześć' }).catch(() => null)
    await eventually(
      () => Promise.resolve(messages().length),
      count => count === 1,
    )
    await first.stop('SIGKILL')
    await lost
    const second = await start()
    await eventually(
      () => deliveries(second),
      listed => listed.join() === 'sent 2',
    )
    const [one, two] = messages()
    deepEqual([messages().length, one?.nonce], [2, two?.nonce])
  })
})
