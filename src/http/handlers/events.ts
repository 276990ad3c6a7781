import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import {
  type EventGap,
  EventRecord,
  type eventsRoutes,
  LogStream,
  logStreams,
} from '#protocol/host/events.js'
import { refuse } from '#protocol/refusal.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { EventFeed, EventItem, ReadLogs } from '#src/ports/records.js'

export interface EventsDeps {
  /** The events of this host, live and stored (A 6). */
  readonly events: EventFeed
  readonly logs: ReadLogs
}

export const eventsHandlers: Handlers<typeof eventsRoutes, EventsDeps> = {
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
