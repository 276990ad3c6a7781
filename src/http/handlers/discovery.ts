import { right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms.js'
import type { Health } from '#protocol/host/discovery.js'
import type { discoveryRoutes } from '#protocol/host/discovery-routes.js'
import { routes } from '#protocol/routes.js'
import { routeTable } from '#src/domain/discovery/route-table.js'
import { schemaVersion, vocabulary } from '#src/domain/discovery/vocabulary.js'
import { listTowns } from '#src/domain/fleet/candidates.js'
import { cardRoleOf } from '#src/domain/fleet/role.js'
import { builtInRoles } from '#src/domain/identity/roles.js'
import type { Handlers } from '#src/http/routing/handler.js'
import { countLeftOut } from '#src/snapshot/left-out.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { InteractionDeps } from './chat.js'
import type { FleetDeps } from './fleet.js'
import type { SyncDeps } from './sync.js'

export interface DiscoveryDeps
  extends Pick<SyncDeps, 'blockers' | 'mode' | 'sync'>,
    Pick<FleetDeps, 'fleet'>,
    Pick<InteractionDeps, 'interactions'> {
  readonly version: string
  readonly bootMs: number
  readonly pid: number
  readonly requestCount: () => number
  /** The longest pause of the event loop in the last minute, in ms. */
  readonly lagMs: () => number
  readonly memory: () => {
    readonly rssBytes: number
    readonly heapUsedBytes: number
    readonly heapLimitBytes: number
    readonly majorGcs: number
  } | null
  readonly contract: {
    readonly version: string | null
    readonly sha: string | null
    readonly agent: string | null
  }
  readonly imageDigest: string
  readonly readers: { readonly threads: number; readonly live: () => number }
}

export const discoveryHandlers: Handlers<typeof discoveryRoutes, DiscoveryDeps> = {
  'health.get': ({ node, snapshot, nowMs }) => right({ body: healthOf(node, snapshot, nowMs) }),
  'schema.get': ({ snapshot }) =>
    right({
      body: vocabulary(snapshot?.roles ?? builtInRoles, snapshot === null ? [] : listTowns(snapshot.files)),
    }),
  'schema.version.get': ({ snapshot }) => right({ body: schemaVersion(snapshot?.format ?? null) }),
  'routes.list': () => right({ body: routeTable(routes) }),
}

const mebibytes = (bytes: number): number => Math.round((bytes / 1_048_576) * 10) / 10

const memoryOf = (node: DiscoveryDeps): Health['memory'] => {
  const memory = node.memory()
  return memory === null
    ? null
    : {
        retainedManagedMb: mebibytes(memory.heapUsedBytes),
        workingSetMb: mebibytes(memory.rssBytes),
        gcHeapLimitMb: mebibytes(memory.heapLimitBytes),
        gen2Collections: memory.majorGcs,
      }
}

const syncOf = (node: DiscoveryDeps): Health['sync'] => {
  const { enabled, publishMode, intervalMinutes, stale, staleAfterMinutes, ...sync } = node.sync()
  const { lastConvergeOkMs, lastAction, request } = sync
  const lastConvergeOkUtc = lastConvergeOkMs === null ? null : instantOf(lastConvergeOkMs)
  const named = request === null ? null : { iid: request.iid, state: request.state }
  const known = { lastConvergeOkUtc, lastAction, request: named }
  return { enabled, publishMode, intervalMinutes, stale, staleAfterMinutes, ...known }
}

const healthOf = (node: DiscoveryDeps, snapshot: Snapshot | null, nowMs: number): Health => ({
  status: node.blockers().length === 0 ? 'ok' : 'degraded',
  blocked: node.blockers().map(({ code, count }) => ({ code, count })),
  version: node.version,
  schema: snapshot?.format.stamped ?? null,
  expected: 2,
  mode: node.mode(),
  role: cardRoleOf(node.fleet().role),
  entities: snapshot?.entities.all.length ?? 0,
  leftOut: snapshot === null ? { files: 0, references: 0 } : countLeftOut(snapshot),
  pid: node.pid,
  uptimeSeconds: Math.max(0, Math.floor((nowMs - node.bootMs) / 1000)),
  requestCount: node.requestCount(),
  lagMs: node.lagMs(),
  imageDigest: node.imageDigest,
  contract: node.contract,
  memory: memoryOf(node),
  sync: syncOf(node),
  readerThreads: node.readers.threads,
  readersLive: node.readers.live(),
  mentionIndex: 'absent',
  dispatch: node.interactions.counts(),
})
