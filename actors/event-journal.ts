import type * as t from 'io-ts'
import { instantOf } from '#protocol/atoms.js'
import { type EventGap, type EventKind, eventKinds } from '#protocol/host/events.js'
import type {
  EventItem,
  EventPart,
  FilledFeed,
  LogPlace,
  Opened,
  Publish,
  ReadLimits,
  RecordLine,
  RecordLog,
} from '#src/ports/records.js'
import type { Pending } from './pending.js'
import { type RecorderPorts, recorder } from './recorder.js'

/**
 * The event journal numbers the events of this host and stores them (A 6, S27). Events that arrive during a
 * write go to disk together, with one fsync; readers see an event only when it is durable. An event that the
 * disk refuses is lost, counted and reported; no reader saw its number, and the next event gets it. Recovers
 * from the last segment: it cuts off a torn line and continues after the last complete one.
 */
export const eventJournal = recorder('event-journal', 0)

/** `json`: the object `{at, kind, payload}`, checked against the codec of its kind. */
export interface WaitingEvent {
  readonly kind: EventKind
  readonly json: string
}

export interface JournalPorts {
  readonly log: RecordLog
  readonly feed: FilledFeed
  readonly waiting: PendingEvents
  readonly opened: (found: Opened) => void
  readonly appended: (kinds: ReadonlyArray<EventKind>, head: number, bytes: number) => void
  readonly lost: (kinds: ReadonlyArray<EventKind>, reason: string) => void
  /** Reports that the next number is not the one after the last that readers saw (S27). */
  readonly outOfSequence: (next: number, head: number) => void
  /** Reports that rotation or retention failed; it is tried again within the hour. */
  readonly untidy: (reason: string) => void
}

/** The ports of the recorder that serves as the journal. */
export const journalWork = (ports: JournalPorts): RecorderPorts => {
  const { log, feed } = ports
  return {
    open: async () => {
      const found = await log.open()
      if (found.next <= feed.head()) ports.outOfSequence(found.next, feed.head())
      feed.opened(found.next)
      ports.opened(found)
    },
    flush: () => flush(ports),
    tidy: () => log.tidy().catch((error: unknown) => ports.untidy(reasonOf(error))),
    close: () => log.close().catch((error: unknown) => ports.untidy(reasonOf(error))),
  }
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

/**
 * Passes events to the journal. A payload that its codec rejects is a bug of the sender, and is counted as
 * lost.
 */
export const publishTo =
  ({ waiting, wake, nowMs, scrub, lost }: PublishPorts): Publish =>
  (kind, payload) => {
    const json = jsonOf(kind, payload, nowMs())
    if (json === null) return lost([kind], 'its payload does not match its kind')
    const clean = scrub(json)
    const bytes = Buffer.byteLength(clean)
    if (bytes > jsonBytesMax) return lost([kind], 'it is too large')
    if (!waiting.add({ kind, json: clean }, bytes)) return lost([kind], 'the queue for the disk is full')
    wake()
  }

type PendingEvents = Pending<WaitingEvent>

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Whether the lines have the numbers after the last that readers saw, without a gap. */
const follow = (lines: ReadonlyArray<RecordLine>, head: number): boolean =>
  lines.every(({ seq }, at) => seq === head + 1 + at)

const flush = async (ports: JournalPorts): Promise<void> => {
  const { log, feed, waiting, appended, lost } = ports
  const events = waiting.takeAll()
  if (events.length === 0) return
  const kinds = events.map(({ kind }) => kind)
  try {
    const lines = await log.append(
      events.map(({ json }) => json),
      true,
    )
    if (!follow(lines, feed.head())) ports.outOfSequence(lines[0]?.seq ?? 0, feed.head())
    feed.give(lines)
  } catch (error) {
    return lost(kinds, reasonOf(error))
  }
  appended(kinds, feed.head(), log.bytes())
}

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

interface PublishPorts {
  readonly waiting: PendingEvents
  /** Tells the journal that events wait. */
  readonly wake: () => void
  readonly nowMs: () => number
  /** Redacts secrets from a text. */
  readonly scrub: (text: string) => string
  readonly lost: (kinds: ReadonlyArray<EventKind>, reason: string) => void
}

const jsonBytesMax = 256 * 1024

const encodeBy = (codec: t.Mixed, payload: unknown): unknown => codec.encode(payload)

/** The JSON of an event; null where the codec of its kind rejects the payload. Never throws. */
const jsonOf = (kind: EventKind, payload: unknown, atMs: number): string | null => {
  try {
    const codec = eventKinds[kind]
    if (!codec.is(payload)) return null
    // Encoding drops fields that the codec does not name.
    const encoded: unknown = encodeBy(codec, payload)
    return JSON.stringify({ at: instantOf(atMs), kind, payload: encoded })
  } catch {
    return null
  }
}
