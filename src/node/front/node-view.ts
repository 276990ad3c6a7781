import { randomUUID } from 'node:crypto'
import { memoryGauge, watchLoopLag } from '#src/adapters/metrics/process-meter.js'
import type { HistoryDeps } from '#src/http/handlers/audit.js'
import type { DiscoveryDeps } from '#src/http/handlers/discovery.js'
import type { EventsDeps } from '#src/http/handlers/events.js'
import type { NamesDeps } from '#src/http/handlers/names.js'
import type { FrontNode, NodeView } from '#src/http/routing/deps.js'
import { realClock } from '#src/kernel/time/clock.js'
import { deliveryDeps } from '../chat/chat-parts.js'
import { interactionDeps } from '../chat/dispatch-parts.js'
import { fleetDeps } from '../fleet/fleet-deps.js'
import { peersDeps } from '../fleet/peers-deps.js'
import { takeoverDeps } from '../fleet/takeover-parts.js'
import { gateDeps } from '../gate/gate-deps.js'
import { identityDeps } from '../identity/identity-deps.js'
import { jobsThrough } from '../jobs/job-runner.js'
import { playersDeps } from '../players/players-deps.js'
import { searchDeps } from '../search/texts/host-search.js'
import { syncDeps } from '../sync/sync-deps.js'
import type { NodeParts } from '../tree/node-parts.js'

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
export const nodeViewOf = (
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
  requestCount,
  shutdown,
})
