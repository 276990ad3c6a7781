import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms.js'
import type { Health } from '#protocol/host/discovery.js'
import type { discoveryRoutes } from '#protocol/host/discovery-routes.js'
import {
  type EventGap,
  EventRecord,
  type eventsRoutes,
  LogStream,
  logStreams,
} from '#protocol/host/events.js'
import { refuse } from '#protocol/refusal.js'
import { routes } from '#protocol/routes.js'
import { routeTable } from '#src/domain/discovery/route-table.js'
import { schemaVersion, vocabulary } from '#src/domain/discovery/vocabulary.js'
import { listTowns } from '#src/domain/fleet/candidates.js'
import { cardRoleOf } from '#src/domain/fleet/role.js'
import { builtInRoles } from '#src/domain/identity/roles.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { Host, HostProcess } from '#src/ports/host.js'
import type { EventFeed, EventItem } from '#src/ports/records.js'
import { countLeftOut } from '#src/snapshot/left-out.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/** What health shows of the host. */
type HealthFacts = Omit<HostProcess, 'bootId' | 'build' | 'monotonicMs'> &
  Pick<Host, 'blockers' | 'fleet' | 'interactions' | 'mentionIndex' | 'mode' | 'requestCount' | 'sync'>

export const discoveryHandlers: Handlers<typeof discoveryRoutes, HealthFacts> = {
  'health.get': ({ node, snapshot, nowMs }) => right({ body: healthOf(node, snapshot, nowMs) }),
  'schema.get': ({ snapshot }) =>
    right({
      body: vocabulary(snapshot?.roles ?? builtInRoles, snapshot === null ? [] : listTowns(snapshot.files)),
    }),
  'schema.version.get': ({ snapshot }) => right({ body: schemaVersion(snapshot?.format ?? null) }),
  'routes.list': () => right({ body: routeTable(routes) }),
}

export const eventsHandlers: Handlers<typeof eventsRoutes, Pick<Host, 'events' | 'logs'>> = {
  'events.stream': ({ query }) => right({ follow: { since: query.since ?? null } }),
  'events.journal.list': async ({ query, node: { events: feed } }) => {
    if (!feed.isKept)
      return left(
        refuse(
          'JournalDisabled',
          '`server.event_journal` is false on this host, so it keeps no journal. Follow GET /events instead.',
        ),
      )
    const since = query.since ?? 0
    const found = await itemsOf(feed, since, boundLimit(query.limit, pageDefault))
    const items: Array<EventRecord> = []
    const gaps: Array<EventGap> = []
    for (const item of found) {
      if (item._tag === 'Event') items.push(recordOf(item.text))
      else gaps.push(item.gap)
    }
    const next = found.at(-1)?.seq ?? since
    return right({ body: { count: items.length, items, gaps, next, head: feed.head() } })
  },
  'logs.list': async ({ path, query, node }) => {
    const stream = path.stream
    if (!LogStream.is(stream))
      return left(
        refuse('StreamNotFound', `There is no such stream. The streams are ${logStreams.join(', ')}.`),
      )
    const limit = boundLimit(query.limit, logPageDefault)
    return right({ body: await node.logs(stream, query.before ?? null, limit) })
  },
}

const mebibytes = (bytes: number): number => Math.round((bytes / 1_048_576) * 10) / 10

const memoryOf = (node: HealthFacts): Health['memory'] => {
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

const syncOf = (node: HealthFacts): Health['sync'] => {
  const { enabled, publishMode, intervalMinutes, stale, staleAfterMinutes, ...sync } = node.sync()
  const { lastConvergeOkMs, lastAction, request } = sync
  const lastConvergeOkUtc = lastConvergeOkMs === null ? null : instantOf(lastConvergeOkMs)
  const named = request === null ? null : { iid: request.iid, state: request.state }
  const known = { lastConvergeOkUtc, lastAction, request: named }
  return { enabled, publishMode, intervalMinutes, stale, staleAfterMinutes, ...known }
}

const healthOf = (node: HealthFacts, snapshot: Snapshot | null, nowMs: number): Health => ({
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
  mentionIndex: node.mentionIndex(),
  dispatch: node.interactions.counts(),
})

const pageDefault = 500

const logPageDefault = 200

const pageMax = 1000

const pageBytes = 1024 * 1024

/** A limit that is absent or unreadable is the default; none exceeds the bound. */
const boundLimit = (limit: number | null | undefined, otherwise: number): number =>
  Math.min(limit ?? otherwise, pageMax)

const recordOf = (text: string): EventRecord => {
  const record = EventRecord.decode(JSON.parse(text))
  if (isLeft(record)) throw new Error('the journal holds a record of another shape')
  return record.right
}

/** Items after a number, until the page is full or the head is reached. */
const itemsOf = async (feed: EventFeed, since: number, limit: number): Promise<ReadonlyArray<EventItem>> => {
  const items: Array<EventItem> = []
  let bytes = 0
  let at = since
  while (items.length < limit && bytes < pageBytes && at !== feed.head()) {
    const part = await feed.after(at, { lines: limit - items.length, bytes: pageBytes - bytes }, null)
    for (const item of part.items) {
      items.push(item)
      bytes += item._tag === 'Event' ? item.text.length : 0
      at = item.seq
    }
  }
  return items
}
