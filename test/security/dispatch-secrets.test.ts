import { deepEqual, equal, ok } from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'mocha'
import { openSqlite } from '#src/adapters/runtime/sqlite.js'
import { type ChatDouble, chatDouble, type WildReply, wildReply } from '#test/support/chat/chat-double.js'
import { type Daemon, eventually, getJson, startDaemon } from '#test/support/daemon.js'
import { nodeFiles } from '#test/support/node.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'

const dispatches = 500
/** What every secret of the test begins with. */
const canary = 'aW50ZXJhY3Rpb246CANARY'

const tellers = [
  '/health',
  '/logs/operational',
  '/logs/request?limit=1000',
  '/logs/audit',
  '/events/journal',
  '/chat/deliveries',
]

/** Answers as the platform does that repeats the token of the path in its answer. */
const echoReply =
  (status: number, code: number): WildReply =>
  (response, request) =>
    wildReply(
      status,
      { 'content-type': 'application/json' },
      JSON.stringify({ message: `no ${request.url ?? ''}`, code }),
    )(response, request)

const filesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(path => statSync(path).isFile())

const secretFiles = (folder: string): ReadonlyArray<string> =>
  filesBelow(folder).filter(path => readFileSync(path).includes(canary))

describe('the secrets of 500 dispatches (S34)', () => {
  let double: ChatDouble
  let repository: Repository
  let daemon: Daemon
  before(async () => {
    double = await chatDouble()
    const chat = { api_url: double.url, client_id: '42', dispatch: { max_per_tick: 50 } }
    repository = repositoryOf({
      ...nodeFiles,
      '.svc/config.json': JSON.stringify({ server: { selfheal_interval_ms: 100 }, integrations: { chat } }),
    })
    daemon = await startDaemon(['serve', '--repo', repository.path])
  })
  after(async () => {
    await double.close()
    if (daemon.process.exitCode === null) await daemon.stop('SIGKILL')
    repository.dispose()
  })

  const dispatch = (id: number, more: object = {}): Promise<Response> =>
    fetch(`${daemon.ready.url}/chat/dispatch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${daemon.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        interactionId: String(id),
        sentAtEpochMs: Date.now(),
        vars: {
          SVC_QUERY_INTENT: 'status',
          SVC_QUERY_CHAT_ID: '5',
          SVC_INTERACTION_TOKEN: `${canary}${id}`,
        },
        ...more,
      }),
    })

  it('are in no log, metric, error, delivery and file, also after the WAL is copied back', async () => {
    const hostile = [echoReply(400, 50_035), echoReply(401, 50_027), echoReply(503, 0), echoReply(403, 1)]
    double.script(...Array.from({ length: dispatches }, (_, at) => hostile[at % 8] ?? 'well'))
    const ids = Array.from({ length: dispatches }, (_, at) => at + 1)
    const statuses: Array<number> = []
    for (let from = 0; from < dispatches; from += 10)
      for (const { status } of await Promise.all(ids.slice(from, from + 10).map(id => dispatch(id))))
        statuses.push(status)
    deepEqual(new Set(statuses), new Set([202]))
    const told: Array<readonly [string, string]> = []
    for (const body of [{ sentAtEpochMs: 0 }, { interactionId: `${canary}x` }, { kind: 'close' }])
      told.push(['refusal', await (await dispatch(dispatches + 1, body)).text()])
    await eventually(
      () => getJson(daemon, '/chat/deliveries'),
      ({ body }) => Number(Reflect.get(Object(body), 'count')) >= 100,
    )
    await eventually(
      () => Promise.resolve(double.requests.length),
      count => count >= dispatches,
    )
    for (const target of tellers) told.push([target, JSON.stringify((await getJson(daemon, target)).body)])
    told.push(['/metrics', await (await fetch(`${daemon.ready.ops}/metrics`)).text()])
    const alive = secretFiles(daemon.ready.state)
    equal(await daemon.stop(), 0)
    told.push(['stdout', daemon.stdout()], ['stderr', daemon.stderr()])
    const database = openSqlite(join(daemon.ready.state, 'runtime.db'), 1_000)
    database.pragma('wal_checkpoint(TRUNCATE)')
    database.close()
    ok(told.some(([, text]) => text.includes('follow_up_failed')))
    deepEqual(
      told.filter(([, text]) => text.includes(canary)).map(([where]) => where),
      [],
    )
    deepEqual([alive, secretFiles(daemon.ready.state), secretFiles(repository.path)], [[], [], []])
    ok(double.requests.some(({ path }) => path.includes(canary)))
  })
})
