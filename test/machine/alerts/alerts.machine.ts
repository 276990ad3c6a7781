import { equal, ok } from 'node:assert/strict'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { before, describe, it } from 'mocha'
import { openRuntimeDb } from '#src/adapters/runtime/runtime-db.js'
import type { AlertName } from '#src/reference/monitoring/alerts.js'
import { dashboardQueries } from '#src/reference/monitoring/dashboard.js'
import { renderRules } from '#src/reference/monitoring/rules.js'
import { channel } from '#test/scenario/dispatch/chat-settings.js'
import { playerQuery } from '#test/scenario/dispatch/chat-side.js'
import { type DispatchWorld, dispatchCase } from '#test/scenario/dispatch/dispatch-world.js'
import { sendCopies } from '#test/scenario/dispatch/storm.js'
import { openStory } from '#test/scenario/world/story.js'
import { errorBody } from '#test/support/chat/chat-double.js'
import { eventually } from '#test/support/daemon.js'
import { findFreePort } from '#test/support/free-port.js'
import { jsonField } from '#test/support/json-field.js'
import { gitIn } from '#test/support/repository.js'
import { commitMillionPaths, commitUnchecked } from '#test/support/unloadable.js'
import { type PrometheusServer, startPrometheus } from '../prometheus-server.js'
import { hasTool } from '../tool.js'

/** A minute of the rules is half a second here. The test waits for states; only its limits are times. */
const timeDivisor = 120
const limitMs = 240_000
const storms = 3

const print = (text: string): void => void process.stdout.write(text)

interface AlertWorld extends DispatchWorld {
  readonly prometheus: PrometheusServer
}

/** Claims that an alert fires, or that it does not while Prometheus has the metrics of a host that runs. */
const claimAlert = ({ story, prometheus }: AlertWorld, name: AlertName, fires: boolean): Promise<void> =>
  story.claim(`${name} ${fires ? 'fires' : 'does not fire'}`, async () => {
    await eventually(
      async () =>
        (await prometheus.query('up == 1')).length === 1 && (await prometheus.firing()).has(name) === fires,
      isSo => isSo,
      limitMs,
    )
  })

const chatAlertNames: ReadonlyArray<AlertName> = [
  'KronikaDispatchWaiting',
  'KronikaDispatchFailed',
  'KronikaChatCourierShut',
  'KronikaChatOutboxOld',
]

/** The platform refuses the bot token, and copies of interactions arrive meanwhile. */
const refuseToken = async (world: AlertWorld): Promise<void> => {
  const { story, chat, host } = world
  chat.script({ status: 401, body: errorBody('401: Unauthorized') })
  story.tell('chat', 'refuses the token of the bot')
  const sending = host.ask('/chat/send', {
    method: 'POST',
    body: JSON.stringify({ ...channel, message: 'Cześć' }),
  })
  await eventually(
    () => Promise.resolve(chat.requests.length),
    count => count > 0,
  )
  for (let nth = 1; nth <= storms; nth += 1) await sendCopies(world, String(900_100_200_300_600 + nth), nth)
  await claimAlert(world, 'KronikaChatCourierShut', true)
  await claimAlert(world, 'KronikaChatOutboxOld', true)
  equal(jsonField((await sending).json, 'Result'), 'QUEUED')
}

/** Records a query that no build can read, and one of the player, in the runtime database of a host that is down. */
const recordQueries = ({ host }: AlertWorld): void => {
  const opened = openRuntimeDb(join(host.path, '.svc/state'))
  if (isLeft(opened)) throw new Error(opened.left.reason)
  const { dispatches, close } = opened.right
  const { vars } = playerQuery('900100200300400801')
  const rows = { '900100200300400801': vars, '900100200300400802': { SVC_QUERY_INTENT: 'none' } }
  for (const [id, of] of Object.entries(rows))
    ok(dispatches.enqueue({ id, kind: 'query', vars: of, sealedReply: null }, Date.now()))
  close()
}

/** The host starts over a HEAD that it cannot load, so that what it accepted waits; then a commit repairs HEAD. */
const startUnloadable = async (world: AlertWorld): Promise<void> => {
  const { story, host } = world
  const { path } = host
  const repository = { path, git: (...args: ReadonlyArray<string>) => gitIn(path, ...args) }
  const good = host.head()
  await host.kill()
  recordQueries(world)
  commitMillionPaths(repository)
  story.tell(host.town, 'starts again with two queries on record, over a commit that it cannot load')
  const starting = host.start()
  // It may reject while the alert is awaited.
  starting.catch(() => undefined)
  try {
    await claimAlert(world, 'KronikaDispatchWaiting', true)
  } finally {
    commitUnchecked(repository, {}, good)
    await starting
  }
  story.tell(host.town, 'has loaded the repair')
}

const playAlerts = async (world: AlertWorld): Promise<void> => {
  const { story, prometheus } = world
  for (const name of chatAlertNames) await claimAlert(world, name, false)
  await refuseToken(world)
  await story.claim('Prometheus answers every query of the dashboard, and the copies are in it', async () => {
    const shown = new Set<string>()
    for (const query of dashboardQueries) {
      const text = query.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '1m')
      if ((await prometheus.query(text)).length > 0) shown.add(query)
    }
    for (const name of ['svc_dispatch_requests_total', 'svc_dispatch_attempts', 'svc_chat_outbox_rows'])
      ok(
        [...shown].some(query => query.includes(name)),
        name,
      )
  })
  await startUnloadable(world)
  await claimAlert(world, 'KronikaDispatchFailed', true)
  for (const name of chatAlertNames) await claimAlert(world, name, false)
}

describe('the alerts of the chat, by a real Prometheus over the built daemon', () => {
  before(function () {
    if (!hasTool('prometheus')) this.skip()
  })

  it('each fire and resolve', async function () {
    this.timeout(900_000)
    const opsPort = await findFreePort()
    const prometheus = await startPrometheus({ host: `127.0.0.1:${opsPort}` }, renderRules(timeDivisor))
    try {
      const { play } = dispatchCase({
        name: 'alerts',
        about: 'each alert of the chat fires and resolves',
        serveArgs: ['--ops-port', String(opsPort)],
        play: world => playAlerts({ ...world, prometheus }),
      })
      await play(openStory(print, Date.now), print)
    } finally {
      await prometheus.stop()
    }
  })
})
