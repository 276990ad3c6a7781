import type { AdminDeps } from '../handlers/admin.js'
import type { HistoryDeps } from '../handlers/audit/audit.js'
import type { DeliveryDeps } from '../handlers/chat/delivery.js'
import type { InteractionDeps } from '../handlers/chat/dispatch.js'
import type { DiscoveryDeps } from '../handlers/discovery.js'
import type { EventsDeps } from '../handlers/events.js'
import type { DerivedDeps } from '../handlers/fleet/derived.js'
import type { FleetDeps } from '../handlers/fleet/fleet.js'
import type { MonitorDeps } from '../handlers/fleet/monitor.js'
import type { PeersDeps } from '../handlers/fleet/peers.js'
import type { TakeoverDeps } from '../handlers/fleet/takeover.js'
import type { IdentityDeps } from '../handlers/identity/identity-deps.js'
import type { JobsDeps } from '../handlers/jobs.js'
import type { NamesDeps } from '../handlers/names/share-rebuild.js'
import type { PlayersDeps } from '../handlers/people/players.js'
import type { LintDeps } from '../handlers/places/places.js'
import type { ReindexDeps } from '../handlers/places/reindex.js'
import type { SearchDeps } from '../handlers/search.js'
import type { SearchIndexDeps } from '../handlers/search-index.js'
import type { SyncDeps } from '../handlers/sync.js'

/** What the front itself needs of the node, beside the handlers. */
export interface FrontNode extends Pick<EventsDeps, 'events'>, Pick<AdminDeps, 'jobs'> {
  /** Identifies this build, also among builds of the same version. */
  readonly build: string
  readonly bootId: string
  /** Whether the repository was moved, removed or replaced. */
  readonly isGone: () => boolean
  /** Why HEAD cannot be loaded; null where it can (D63). */
  readonly staleReason: () => string | null
}

/**
 * What the node provides to the front and the handlers beside the snapshot; each group of handlers declares
 * its part. Functions return the value at the time of the call.
 */
export type NodeView = FrontNode &
  DiscoveryDeps &
  SyncDeps &
  DeliveryDeps &
  TakeoverDeps &
  InteractionDeps &
  MonitorDeps &
  DerivedDeps &
  PeersDeps &
  FleetDeps &
  AdminDeps &
  JobsDeps &
  EventsDeps &
  HistoryDeps &
  IdentityDeps &
  PlayersDeps &
  LintDeps &
  NamesDeps &
  SearchDeps &
  SearchIndexDeps &
  ReindexDeps
