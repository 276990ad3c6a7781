import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
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
  runCommand,
  startDaemon,
} from '#test/support/daemon.js'
import { gitIn, type Repository, repositoryOf, temporaryFolder } from '#test/support/repository.js'

const token = 'planted-bot-token-of-notices'
const Message = t.type({ content: t.string, nonce: t.string, allowed_mentions: t.unknown })
const Fields = t.record(t.string, t.unknown)
const Lines = t.type({ items: t.array(Fields) })
const Deliveries = t.type({
  items: t.array(t.type({ operation: t.string, status: t.string, entity: t.string, channel: t.string })),
})

const lore = (chat: object, mode: string) => ({
  '.svc/format.json': '{"format": 2}',
  '.svc/config.json': JSON.stringify({
    server: { sync_interval_min: 60, publish_mode: mode },
    integrations: { chat },
  }),
  'kontrybutorzy.md': '## Gracz\n### Gosia\n- @chat: sesje/solmyr-kanał\n### Bez Kanału\n- @chat: BRAK\n',
  'encje/indeks.md': ['Wit *Kłos*|Gosia', 'Anna|Gosia', 'Bruno|Bez Kanału']
    .map(one => one.split('|'))
    .map(
      ([name, owner]) =>
        `### ${name}\n- @typ: Postać\n- @należy_do: ${owner}\n- @pu_startowe: 20\n- @pu_suma: 20\n- @pu_zdobyte: 0\n- @pu_nadmiar: 0\n`,
    )
    .join('\n'),
  'sesje/maj.md':
    '### 2026-05-10, Most, Gosia\n\nOpis.\n\n- @PU:\n    - Wit *Kłos*: 0.5\n    - Anna: 1\n    - Bruno: 1\n- @Intel:\n    - Bruno, Anna: Uważaj @everyone\n',
})

describe('the notices of a batch as the built daemon sends them', () => {
  let double: ChatDouble
  let repository: Repository
  let folder: ReturnType<typeof temporaryFolder>
  let bare: string
  let daemon: Daemon | null = null
  const open = (mode: string, api_url = double.url): void => {
    const chat = { api_url, guild_id: '900' }
    repository = repositoryOf(lore(chat, mode))
    folder = temporaryFolder()
    bare = join(folder.path, 'lore.git')
    gitIn(folder.path, 'clone', '-q', '--bare', repository.path, bare)
    repository.git('remote', 'add', 'origin', bare)
  }
  beforeEach(async () => {
    double = await chatDouble()
  })
  afterEach(async () => {
    if (daemon !== null) await daemon.stop('SIGKILL')
    daemon = null
    await double.close()
    repository.dispose()
    folder.dispose()
  })

  const start = async (): Promise<Daemon> => {
    daemon = await startDaemon(['serve', '--repo', repository.path], { SVC_CHAT_BOT_TOKEN: token })
    return daemon
  }
  /** Starts a daemon on another clone of the remote, in the place of the first repository. */
  const startOnClone = async (): Promise<Daemon> => {
    repository.dispose()
    repository = repositoryOf({})
    repository.git('remote', 'add', 'origin', bare)
    repository.git('fetch', '-q', 'origin')
    repository.git('reset', '-q', '--hard', 'origin/main')
    return start()
  }
  const award = (at: Daemon, query = ''): Promise<DaemonReply> =>
    postJson(at, `/workflows/award-pu${query}`, { month: '2026-05' })
  const messages = () =>
    double.requests.flatMap(({ method, body }) => {
      const read: unknown = method === 'POST' ? JSON.parse(body) : null
      return Message.is(read) ? [read] : []
    })
  const listed = async (at: Daemon, operation = 'pu'): Promise<ReadonlyArray<string>> => {
    const { body } = await getJson(at, `/chat/deliveries?operation=${operation}`)
    if (!Deliveries.is(body)) throw new Error('the deliveries have another shape')
    return body.items.map(({ entity, status, channel }) => `${entity} ${status} ${channel}`).sort()
  }
  const ended = ['Bez Kanału refused ', 'Gosia sent solmyr-kanał']
  const awaitEnded = (at: Daemon) =>
    eventually(
      () => listed(at),
      found => found.join() === ended.join(),
    )
  const hook = (name: string, ...lines: ReadonlyArray<string>): void =>
    writeFileSync(join(bare, 'hooks', name), ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 })
  /** The intent and the commit of each `write` line of the audit stream. */
  const writesIn = async (at: Daemon): Promise<ReadonlyArray<ReadonlyArray<unknown>>> => {
    const { body } = await getJson(at, '/logs/audit')
    if (!Lines.is(body)) throw new Error('the audit stream has another shape')
    return body.items.flatMap(line => (line['action'] === 'write' ? [[line['intent'], line['commit']]] : []))
  }
  const intentAt = (tip: string): string | undefined =>
    /^Svc-Intent: (.+)$/mu.exec(gitIn(bare, 'log', '-1', '--format=%B', tip))?.[1]
  const rowsThere = (): number =>
    gitIn(bare, 'ls-tree', '-r', '--name-only', 'main').includes('batches.jsonl')
      ? gitIn(bare, 'show', 'main:.svc/pu/batches.jsonl').trim().split('\n').length
      : 0

  it('leave when the remote has the commit and not before, one to each player, from no other host, and ping nobody', async () => {
    open('push')
    const at = await start()
    const dry = await award(at, '?dryRun=true')
    ok(JSON.stringify(dry.body).includes('"WithoutAddress":["Bez Kanału"]'), JSON.stringify(dry.body))
    const [came, go] = [join(folder.path, 'came'), join(folder.path, 'go')]
    hook('pre-receive', `touch '${came}'`, `while [ ! -e '${go}' ]; do sleep 0.05; done`)
    const answer = award(at)
    await eventually(
      () => Promise.resolve(existsSync(came)),
      isThere => isThere,
    )
    deepEqual([messages(), await listed(at)], [[], []])
    writeFileSync(go, '')
    equal((await answer).status, 200)
    await awaitEnded(at)
    deepEqual(
      messages().map(({ content }) => content),
      [
        [
          'Postać "Wit \\*Kłos\\*" (Gracz "Gosia") otrzymuje 1.50 PU.',
          'Aktualna suma PU tej Postaci: 21.50',
          '',
          'Postać "Anna" (Gracz "Gosia") otrzymuje 2.00 PU.',
          'Aktualna suma PU tej Postaci: 22.00',
        ].join('\n'),
      ],
    )
    deepEqual(messages()[0]?.allowed_mentions, { parse: [] })
    equal((await award(at)).status, 200)
    const metrics = await (await fetch(`${at.ready.ops}/metrics`)).text()
    match(metrics, /svc_chat_deliveries_total\{operation="pu",result="refused"\} 1/)
    await at.stop()
    const last = await start()
    deepEqual(await listed(last), ended)
    equal(messages().length, 1)
    await last.stop()
    const other = await startOnClone()
    equal((await postJson(other, '/sync', {})).status, 200)
    deepEqual([await listed(other), messages().length], [[], 1])
  })

  it('are none where the remote refuses the commit', async () => {
    open('push')
    hook('pre-receive', 'exit 1')
    const at = await start()
    equal((await award(at)).status, 503)
    equal((await postJson(at, '/sync', {})).status, 200)
    deepEqual([messages(), await listed(at), rowsThere()], [[], [], 0])
    rmSync(join(bare, 'hooks', 'pre-receive'))
    equal((await award(at)).status, 200)
    await awaitEnded(at)
    deepEqual([messages().length, rowsThere()], [1, 1])
  })

  it('follow once where the host is killed between the push and its own branch, as the audit line does', async () => {
    open('push')
    const at = await start()
    const before = repository.head()
    hook('post-receive', `kill -9 ${at.process.pid}`)
    const dead = new Promise(resolve => at.process.once('close', resolve))
    await award(at).catch(() => null)
    await dead
    deepEqual([repository.head(), rowsThere(), messages()], [before, 1, []])
    rmSync(join(bare, 'hooks', 'post-receive'))
    const again = await start()
    await awaitEnded(again)
    const written = [[intentAt('main'), gitIn(bare, 'rev-parse', 'main')]]
    deepEqual(
      await eventually(
        () => writesIn(again),
        lines => lines.length > 0,
      ),
      written,
    )
    equal((await award(again)).status, 200)
    await again.stop()
    const last = await start()
    deepEqual([await listed(last), await writesIn(last)], [ended, written])
    deepEqual([messages().length, rowsThere()], [1, 1])
  })

  it('are sent by a command that settles the month on a clone', async () => {
    open('push', 'http://127.0.0.1:9')
    const clone = join(folder.path, 'clone')
    gitIn(folder.path, 'clone', '-q', bare, clone)
    const enact = (env: Readonly<Record<string, string>> = {}) =>
      runCommand(['enact', 'award', '--repo', clone, '--month', '2026-05'], env)
    const mute = await enact()
    deepEqual([mute.code, messages(), rowsThere()], [0, [], 1], mute.stderr)
    match(mute.stderr, /chat_not_delivered .*Bez Kanału/)
    match(mute.stderr, /notices_wait .*no bot token/)
    // The operator's address counts, and not the one that is committed.
    const env = { SVC_CHAT_BOT_TOKEN: token, SVC_CHAT_URL: double.url }
    for (let count = 0; count < 2; count += 1) equal((await enact(env)).code, 0)
    deepEqual([messages().length, rowsThere()], [1, 1])
  })

  it('have the same nonce after a kill in the middle of the call', async () => {
    open('none')
    const at = await start()
    double.script('well', () => undefined)
    equal((await award(at)).status, 200)
    await eventually(
      () => Promise.resolve(messages().length),
      count => count === 1,
    )
    await at.stop('SIGKILL')
    await awaitEnded(await start())
    const [first, second] = messages()
    deepEqual([messages().length, first?.nonce], [2, second?.nonce])
  })

  it('are one to each narrator with open sessions, once on all hosts, and those of the Intel of one that is closed', async () => {
    open('push')
    const at = await start()
    const remind = async (host: Daemon, body: object = {}, query = '') => {
      const { status, body: json } = await postJson(host, `/workflows/close-reminder${query}`, body)
      const lines = Object.entries(Fields.is(json) ? json : {}).map(
        ([key, of]) => `${key} ${JSON.stringify(of)}`,
      )
      return [status, lines] as const
    }
    equal((await remind(at, { narrator: 'Nikt' }))[0], 404)
    const open1 = '[{"Narrator":"Gosia","Sessions":["2026-05-10, Most, Gosia"]}]'
    const [, dry] = await remind(at, {}, '?dryRun=true')
    deepEqual(dry.slice(0, 3), ['Applied false', `Reminded ${open1}`, 'Skipped []'])
    deepEqual(messages(), [])
    deepEqual(await remind(at, { narrator: 'Gosia' }), [
      200,
      ['Applied true', `Reminded ${open1}`, 'Skipped []'],
    ])
    await eventually(
      () => listed(at, 'close-reminder'),
      found => found.join() === 'Gosia sent solmyr-kanał',
    )
    deepEqual(
      messages().map(({ content }) => content.split('\n')),
      [
        [
          'Gosia, ta sesja czeka na zamknięcie:',
          '• 2026-05-10, Most, Gosia',
          'Zmiany, transfery i Intel sesji działają dopiero po jej zamknięciu.',
        ],
      ],
    )
    await at.stop()
    const other = await startOnClone()
    const [status, lines] = await remind(other)
    deepEqual([status, lines.slice(0, 2)], [200, ['Applied false', 'Reminded []']])
    ok(JSON.stringify(lines).includes('Cooldown'))
    equal(messages().length, 1)
    const close = (query = '') =>
      postJson(other, `/workflows/close-session${query}`, { header: '2026-05-10, Most, Gosia' })
    const dryClose = await close('?dryRun=true')
    ok(JSON.stringify(dryClose.body).includes('"WithoutAddress":["Bruno"]'), JSON.stringify(dryClose.body))
    equal((await close()).status, 200)
    await eventually(
      () => listed(other, 'Intel'),
      found => found.join() === 'Anna sent solmyr-kanał',
    )
    equal((await close()).status, 409)
    deepEqual(
      messages()
        .slice(1)
        .map(({ content }) => content),
      ['Intel z sesji „Most” (2026-05-10) dla: Anna\n\nUważaj @everyone'],
    )
  })
})
