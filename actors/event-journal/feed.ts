import type { EventGap } from '#protocol/events.js'
import type {
  EventItem,
  EventPart,
  FilledFeed,
  LogPlace,
  ReadLimits,
  RecordLine,
  RecordLog,
} from '#src/ports/records.js'

const recentBytesMax = 1024 * 1024

/**
 * The latest events in memory, each created once for all readers: a list without holes that ends with the
 * head.
 */
interface Recent {
  items: ReadonlyArray<EventItem>
  bytes: number
}

const eventOf = ({ seq, text }: RecordLine): EventItem => ({ _tag: 'Event', seq, text })

const gapOf = (from: number, to: number, reason: EventGap['reason']): EventItem => ({
  _tag: 'Gap',
  seq: to,
  gap: { from, to, reason },
})

/** Lines of a log as items. Numbers missing between them, or before `through`, become gaps. */
const withGaps = (
  lines: ReadonlyArray<RecordLine>,
  after: number,
  oldest: number,
): ReadonlyArray<EventItem> => {
  const items: Array<EventItem> = []
  let due = after + 1
  for (const line of lines) {
    if (due < oldest && line.seq > due) items.push(gapOf(due, Math.min(oldest, line.seq) - 1, 'pruned'))
    const from = Math.max(due, oldest)
    if (from < line.seq) items.push(gapOf(from, line.seq - 1, 'corrupt'))
    items.push(eventOf(line))
    due = line.seq + 1
  }
  return items
}

const bytesOf = (item: EventItem): number => (item._tag === 'Event' ? item.text.length : 0)

/** As many items from `start` on as the limits allow, but at least one. */
const within = (
  items: ReadonlyArray<EventItem>,
  start: number,
  limits: ReadLimits,
): ReadonlyArray<EventItem> => {
  const taken: Array<EventItem> = []
  let bytes = 0
  for (let at = start; at < items.length && taken.length < Math.max(1, limits.lines); at += 1) {
    const item = items[at]
    if (item === undefined) break
    bytes += bytesOf(item)
    if (taken.length > 0 && bytes > limits.bytes) break
    taken.push(item)
  }
  return taken
}

/** Appends items and drops the oldest. Items that do not follow the last one replace the list. */
const rememberRecent = (recent: Recent, head: number, items: ReadonlyArray<EventItem>): void => {
  const follows = items[0]?.seq === head + 1
  const all = follows ? [...recent.items, ...items] : [...items]
  let bytes = items.reduce((sum, item) => sum + bytesOf(item), follows ? recent.bytes : 0)
  let dropped = 0
  for (const item of all) {
    if (bytes <= recentBytesMax || dropped === all.length - 1) break
    bytes -= bytesOf(item)
    dropped += 1
  }
  recent.items = all.slice(dropped)
  recent.bytes = bytes
}

/** Events that are no longer in memory: from the log, or a gap up to `to`. */
const older = async (
  log: RecordLog | null,
  after: number,
  to: number,
  limits: ReadLimits,
  place: LogPlace | null,
): Promise<EventPart> => {
  if (log === null) return { items: [gapOf(after + 1, to, 'pruned')], place: null }
  const page = await log.read(after, to, limits, place)
  if (page.lines.length > 0) return { items: withGaps(page.lines, after, page.oldest), place: page.place }
  const reason = page.oldest > to ? 'pruned' : 'corrupt'
  return { items: [gapOf(after + 1, to, reason)], place: null }
}

/**
 * The feed of a host. `log` is null where the journal is switched off; then only the events in memory are
 * available.
 */
export const eventFeed = (log: RecordLog | null): FilledFeed => {
  const recent: Recent = { items: [], bytes: 0 }
  const listeners = new Set<() => void>()
  let head = 0
  let givenBytes = 0
  const wake = (): void => {
    for (const run of listeners) run()
  }
  return {
    isKept: log !== null,
    head: () => head,
    givenBytes: () => givenBytes,
    after: (after, limits, place) => {
      if (after === head) return Promise.resolve({ items: [], place: null })
      if (after > head)
        return Promise.resolve({ items: [{ ...gapOf(head + 1, after, 'ahead'), seq: head }], place: null })
      const first = recent.items[0]?.seq ?? head + 1
      if (after + 1 < first) return older(log, after, first - 1, limits, place)
      return Promise.resolve({ items: within(recent.items, after + 1 - first, limits), place: null })
    },
    onMore: run => {
      listeners.add(run)
      return () => listeners.delete(run)
    },
    opened: next => {
      if (next - 1 === head) return
      recent.items = []
      recent.bytes = 0
      head = next - 1
      wake()
    },
    give: lines => {
      const last = lines.at(-1)
      if (last === undefined) return
      const items = lines.map(eventOf)
      rememberRecent(recent, head, items)
      head = last.seq
      givenBytes += items.reduce((sum, item) => sum + bytesOf(item), 0)
      wake()
    },
  }
}
