import { routes } from '#protocol/routes.js'
import { httpMeter } from '#src/adapters/metrics/http-meter.js'
import { openFilesMax } from '#src/adapters/state/state-area.js'
import { armOf, gateRefusal } from '#src/domain/admin/gate-arms.js'
import { type ConnectionLimits, connectionLimits, openFilesDefault } from '#src/domain/limits/connections.js'
import { credentialsOf } from '#src/http/credentials/authenticate.js'
import { openSignInLimit, openWriteLimit } from '#src/http/credentials/caller-limits.js'
import { clientNetworkBehind } from '#src/http/credentials/client-address.js'
import { handlers } from '#src/http/handlers/governance.js'
import type { HttpLog } from '#src/http/records/meter.js'
import { requestLines } from '#src/http/records/request-record.js'
import { type FrontDeps, type Gate, memoBytesMax } from '#src/http/routing/deps.js'
import { realClock } from '#src/kernel/time/clock.js'
import { makeHostsReader } from '../fleet/fleet-deps.js'
import { hostWritePort } from '../gate/host-write-port.js'
import { containsCommitIn } from '../gate/plan-ports.js'
import { countShown } from '../identity/host-tokens.js'
import { readReference } from '../read-reference.js'
import { logRecord } from '../records/log.js'
import type { NodeParts } from '../tree/node-parts.js'
import { nodeViewOf } from './node-view.js'

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
