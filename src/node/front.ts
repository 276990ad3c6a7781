import { randomUUID } from 'node:crypto'
import type { FrontPorts } from '#actors/http-front.js'
import { routes } from '#protocol/routes.js'
import { httpMeter } from '#src/adapters/metrics/http-meter.js'
import { memoryGauge, watchLoopLag } from '#src/adapters/metrics/process-meter.js'
import { openFilesMax } from '#src/adapters/state/state-area.js'
import { armOf, gateRefusal } from '#src/domain/admin/gate-arms.js'
import { type ConnectionLimits, connectionLimits, openFilesDefault } from '#src/domain/limits/connections.js'
import { credentialsOf } from '#src/http/credentials/authenticate.js'
import { openSignInLimit } from '#src/http/credentials/caller-limits.js'
import { clientNetworkBehind } from '#src/http/credentials/client-address.js'
import { handlers } from '#src/http/handlers/all.js'
import { type Front, startFront } from '#src/http/listener/front.js'
import type { HttpLog } from '#src/http/records/meter.js'
import { requestLines } from '#src/http/records/request-record.js'
import { type FrontOptions, type Gate, memoBytesMax } from '#src/http/routing/call.js'
import { realClock } from '#src/kernel/time/clock.js'
import { openWorkQueue } from '#src/kernel/time/work-queue.js'
import type { Host, HostProcess } from '#src/ports/host.js'
import { logAttemptsOf, logFetchingOf } from './archive/log-fetching.js'
import { interactionsOf } from './chat/dispatch.js'
import { deliveriesOf } from './chat/open-chat.js'
import { fleetDuty, makeHostsReader } from './fleet/fleet.js'
import { takeoversOf } from './fleet/takeover-work.js'
import { peersOf } from './fleet/takeovers.js'
import { containsCommitIn, frontWritePort, hostWritePort, jobsThrough, writeGateOf } from './gate/gate.js'
import { identityPorts, onlinePlayers } from './identity/identity.js'
import { countShown } from './identity/tokens.js'
import { readReference } from './package-files.js'
import { logRecord } from './records/records.js'
import { searchOf } from './search/texts.js'
import { remoteSyncOf } from './sync/repository-sync.js'
import { mentionStateOf } from './transcripts/mentions.js'
import { searchWithSpeech } from './transcripts/transcripts.js'
import type { HostNode } from './tree/node.js'

/** What the front of this node is started with. */
export const frontOptions = (node: HostNode, shutdown: () => void): FrontOptions => {
  const { checkout, config, look, metrics } = node
  const http = httpMeter(metrics.meter)
  const clientNetwork = clientNetworkBehind(config['server.trusted_proxies'])
  return {
    connections: limitConnections(node),
    table: routes,
    handlers,
    snapshot: node.snapshot,
    freshen:
      config['server.selfheal_interval_ms'] === 0
        ? async () => {
            await look(freshenMs)
          }
        : null,
    containsCommit: containsCommitIn(checkout.source, node.sync),
    credentials: credentialsOf(node.tokens.machineHash, node.tokens.kinds, countShown(metrics.meter)),
    gate: gateOf(node),
    clientNetwork,
    signInLimit: openSignInLimit(
      { perMinute: config['server.sign_in_per_minute'], burst: config['server.sign_in_burst'] },
      clientNetwork,
    ),
    writeLimit: node.writeLimit,
    write: frontWritePort(node.callers.limitWrites(hostWritePort(node))),
    readers: node.readers.threads > 0 ? node.readers.exchange.ask : null,
    node: hostOf(node, { requestCount: http.requests, shutdown }),
    clock: realClock,
    meter: http,
    log: frontLog(node),
    recordRequest: node.records.recordLines('request', requestLines),
    published: makeHostsReader(node),
    metricsText: metrics.text,
    readReference,
    memoBytesMax,
  }
}

export interface Listeners extends FrontPorts {
  /** Null while it is not listening. */
  readonly current: () => Front | null
}

/**
 * Opens and closes the listeners for the actor. A restart binds the same ports, so that clients find the host
 * again. Calls run one after the other: a slow opening cannot leave a listener that is never closed.
 */
export const openListeners = (
  options: () => FrontOptions,
  ports: { readonly api: number; readonly ops: number },
): Listeners => {
  let front: Front | null = null
  let bound = { apiPort: ports.api, opsPort: ports.ops }
  const close = async (): Promise<void> => {
    const open = front
    front = null
    await open?.close(drainMs)
  }
  const reopen = async (): Promise<void> => {
    await close()
    front = await startFront(options(), bound)
    bound = { apiPort: front.apiPort, opsPort: front.opsPort }
  }
  const inTurn = openWorkQueue()
  return {
    current: () => front,
    close: () => inTurn(close),
    open: () => inTurn(reopen),
  }
}

/**
 * How long a read waits for a look at HEAD before the last snapshot answers it (D14 with an interval of 0).
 */
const freshenMs = 2_000

const gateOf =
  ({ gate, metrics }: HostNode): Gate =>
  (_row, dryRun) => {
    const refusal = gateRefusal(gate(), dryRun)
    if (refusal !== null)
      metrics.meter.count('svc_write_gate_refusals_total', {
        arm: armOf(refusal),
        dry_run: dryRun ? 'true' : 'false',
      })
    return refusal
  }

/** The log of the front. Refused credentials also go to the audit stream, grouped (SECURITY, ADR 1021). */
const frontLog = ({ log, refusals }: HostNode): HttpLog => {
  const write = logRecord(log)
  return record => {
    if (record.event === 'http.credential_refused')
      refusals.tellToken(record.network, record.requestId, record.method)
    else write(record)
  }
}

/**
 * Divides the file descriptors of this process between connections and its own work, and logs the limits
 * once.
 */
const limitConnections = ({ log }: HostNode): ConnectionLimits => {
  const filesMax = openFilesMax() ?? openFilesDefault
  const limits = connectionLimits(filesMax)
  log.info('connections_limited', { openFilesMax: filesMax, ...limits })
  return limits
}

const drainMs = 5_000

/** This process, as it is now. */
const processOf = ({ bootMs, build, environment, readers, version }: HostNode): HostProcess => ({
  version,
  monotonicMs: realClock.monotonicMs,
  build,
  bootId: randomUUID(),
  bootMs,
  pid: process.pid,
  memory: memoryGauge(),
  lagMs: watchLoopLag(),
  contract: environment.contract,
  imageDigest: environment.imageDigest,
  readers: { threads: readers.threads, live: readers.exchange.live },
})

/** What the front and its handlers use of this node. */
const hostOf = (
  node: HostNode,
  { requestCount, shutdown }: Pick<Host, 'requestCount' | 'shutdown'>,
): Host => ({
  ...processOf(node),
  ...writeGateOf(node),
  ...remoteSyncOf(node),
  ...fleetDuty(node),
  ...identityPorts(node),
  ...searchOf(node.texts, node.search, node.checkout, node.transcripts.index),
  delivery: deliveriesOf(node),
  interactions: interactionsOf(node),
  takeovers: takeoversOf(node),
  peers: peersOf(node),
  monitor: node.monitor.view,
  derived: node.derived.view,
  players: onlinePlayers(node),
  events: node.records.events.feed,
  logs: node.records.streams.read,
  history: node.checkout.history,
  isVerified: node.isVerified,
  jobs: jobsThrough(node.refs.jobs, node.checkout.runtime.jobs, (jobId, error) =>
    node.log.error('job_not_recorded', { jobId, error }),
  ),
  ...searchWithSpeech(node),
  transcripts: node.transcripts.index,
  mentionIndex: () => mentionStateOf(node.derived, node.mentions),
  evidence: node.evidence,
  hasSampleStore: () => node.trees.has('adnotacje'),
  logFailures: logAttemptsOf(node),
  logFetching: logFetchingOf(node),
  readTuning: async file =>
    (await node.tuning
      .get()
      ?.read(file)
      .catch(() => null)) ?? null,
  models: node.models.view,
  measureMaps: node.measureMaps,
  mapsPerBatch: node.config['integrations.game.map_checkup.batch_size'],
  requestCount,
  shutdown,
})
