import { randomUUID } from 'node:crypto'
import type { FrontPorts } from '#actors/http-front.js'
import { routes } from '#protocol/routes.js'
import { httpMeter } from '#src/adapters/metrics/http-meter.js'
import { memoryGauge, watchLoopLag } from '#src/adapters/metrics/process-meter.js'
import { openFilesMax } from '#src/adapters/state/state-area.js'
import { armOf, gateRefusal } from '#src/domain/admin/gate-arms.js'
import { type ConnectionLimits, connectionLimits, openFilesDefault } from '#src/domain/limits/connections.js'
import { credentialsOf } from '#src/http/credentials/authenticate.js'
import { openSignInLimit, openWriteLimit } from '#src/http/credentials/caller-limits.js'
import { clientNetworkBehind } from '#src/http/credentials/client-address.js'
import { handlers } from '#src/http/handlers/all.js'
import type { HistoryDeps } from '#src/http/handlers/audit.js'
import type { DiscoveryDeps } from '#src/http/handlers/discovery.js'
import type { EventsDeps } from '#src/http/handlers/events.js'
import type { NamesDeps } from '#src/http/handlers/names.js'
import { type Front, startFront } from '#src/http/listener/front.js'
import type { HttpLog } from '#src/http/records/meter.js'
import { requestLines } from '#src/http/records/request-record.js'
import {
  type FrontDeps,
  type FrontNode,
  type Gate,
  memoBytesMax,
  type NodeView,
} from '#src/http/routing/deps.js'
import { realClock } from '#src/kernel/time/clock.js'
import { openWorkQueue } from '#src/kernel/time/work-queue.js'
import { interactionDeps } from './chat/dispatch.js'
import { deliveryDeps } from './chat/open-chat.js'
import { fleetDeps, makeHostsReader } from './fleet/fleet.js'
import { takeoverDeps } from './fleet/takeover-work.js'
import { peersDeps } from './fleet/takeovers.js'
import { containsCommitIn, gateDeps, hostWritePort } from './gate/gate.js'
import { identityDeps } from './identity/identity.js'
import { countShown } from './identity/tokens.js'
import { jobsThrough } from './jobs.js'
import { readReference } from './package-files.js'
import { playersDeps } from './players.js'
import { logRecord } from './records/records.js'
import { searchDeps } from './search/texts.js'
import { syncDeps } from './sync/repository-sync.js'
import type { NodeParts } from './tree/node.js'

/** The dependencies of the front in this node. */
export const frontDeps = (parts: NodeParts, shutdown: () => void): FrontDeps => {
  const { checkout, config, look, metrics } = parts
  const http = httpMeter(metrics.meter)
  const clientNetwork = clientNetworkBehind(config['server.trusted_proxies'])
  return {
    connections: limitConnections(parts),
    table: routes,
    handlers,
    snapshot: parts.snapshot,
    freshen:
      config['server.selfheal_interval_ms'] === 0
        ? async () => {
            await look(freshenMs)
          }
        : null,
    containsCommit: containsCommitIn(checkout.source, parts.sync),
    credentials: credentialsOf(parts.tokens.machineHash, parts.tokens.kinds, countShown(metrics.meter)),
    gate: gateOf(parts),
    clientNetwork,
    signInLimit: openSignInLimit(
      { perMinute: config['server.sign_in_per_minute'], burst: config['server.sign_in_burst'] },
      clientNetwork,
    ),
    writeLimit: openWriteLimit({
      perMinute: config['server.own_writes_per_minute'],
      burst: config['server.own_writes_burst'],
    }),
    write: parts.callers.limitWrites(hostWritePort(parts)),
    readers: parts.readers.threads > 0 ? parts.readers.desk.ask : null,
    node: nodeViewOf(parts, { requestCount: http.requests, shutdown }),
    clock: realClock,
    meter: http,
    log: frontLog(parts),
    recordRequest: parts.records.recordLines('request', requestLines),
    published: makeHostsReader(parts),
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
export const listeners = (
  deps: () => FrontDeps,
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
    front = await startFront(deps(), bound)
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
  ({ gate, metrics }: NodeParts): Gate =>
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
const frontLog = ({ log, refusals }: NodeParts): HttpLog => {
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
const limitConnections = ({ log }: NodeParts): ConnectionLimits => {
  const filesMax = openFilesMax() ?? openFilesDefault
  const limits = connectionLimits(filesMax)
  log.info('connections_limited', { openFilesMax: filesMax, ...limits })
  return limits
}

const drainMs = 5_000

type ProcessDeps = NamesDeps &
  Omit<DiscoveryDeps, 'blockers' | 'fleet' | 'interactions' | 'mode' | 'requestCount' | 'sync'> &
  Pick<FrontNode, 'bootId' | 'build'>

/** What the front needs to know of this process. */
const processDeps = ({ bootMs, build, environment, readers, version }: NodeParts): ProcessDeps => ({
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
  readers: { threads: readers.threads, live: readers.desk.live },
})

/** What the front reads of the past: events, logs and commits. */
const pastDeps = ({ checkout, isVerified, records }: NodeParts): EventsDeps & HistoryDeps => ({
  events: records.events.feed,
  logs: records.streams.read,
  history: checkout.history,
  isVerified,
})

/** What the front needs of this node: all parts that the groups of handlers declare. */
const nodeViewOf = (
  parts: NodeParts,
  { requestCount, shutdown }: Pick<NodeView, 'requestCount' | 'shutdown'>,
): NodeView => ({
  ...processDeps(parts),
  ...gateDeps(parts),
  ...syncDeps(parts),
  ...deliveryDeps(parts),
  ...takeoverDeps(parts),
  ...interactionDeps(parts),
  ...peersDeps(parts),
  ...fleetDeps(parts),
  monitor: parts.monitor.view,
  derived: parts.derived.view,
  ...identityDeps(parts),
  ...pastDeps(parts),
  ...searchDeps(parts.texts, parts.search, parts.checkout),
  ...playersDeps(parts),
  jobs: jobsThrough(parts.tree.doors.jobs, parts.checkout.runtime.jobs),
  searchReadings: parts.search.desk.readings,
  rebuildSearch: parts.search.rebuild,
  measureMaps: parts.measureMaps,
  mapsPerBatch: parts.config['integrations.game.map_checkup.batch_size'],
  requestCount,
  shutdown,
})
