import { type RecorderPorts, recorder } from '#actors/recorder.js'
import type { EventKind } from '#protocol/events.js'
import type { FilledFeed, Opened, RecordLine, RecordLog } from '#src/ports/records.js'
import type { Pending } from '../pending.js'

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

export type PendingEvents = Pending<WaitingEvent>

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
