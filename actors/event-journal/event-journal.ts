import { type RecorderPorts, recorder } from '#actors/recorder.js'
import type { EventKind } from '#protocol/events/kinds.js'
import type { FilledFeed } from '#src/ports/records/events.js'
import type { Opened, RecordLog } from '#src/ports/records/record-log.js'
import type { Pending } from '../pending.js'

/**
 * The event journal gives every event of this host its number and keeps it (A 6, S27). Events that come while others
 * are written go to the disk together, with one fsync; readers see an event only when it is durable. An event that the
 * disk refuses is lost, counted and told; nobody saw its number, which goes to the next. Recovers from the last
 * segment: a torn line is cut off, the count goes on behind the last whole one.
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
  /** Rotation or retention failed; tried again within the hour. */
  readonly untidy: (reason: string) => void
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const flush = async ({ log, feed, waiting, appended, lost }: JournalPorts): Promise<void> => {
  const events = waiting.takeAll()
  if (events.length === 0) return
  const kinds = events.map(({ kind }) => kind)
  try {
    const lines = await log.append(
      events.map(({ json }) => json),
      true,
    )
    feed.give(lines)
  } catch (error) {
    return lost(kinds, reasonOf(error))
  }
  appended(kinds, feed.head(), log.bytes())
}

/** What the recorder does for the journal. */
export const journalWork = (ports: JournalPorts): RecorderPorts => {
  const { log, feed } = ports
  return {
    open: async () => {
      const found = await log.open()
      feed.opened(found.next)
      ports.opened(found)
    },
    flush: () => flush(ports),
    tidy: () => log.tidy().catch((error: unknown) => ports.untidy(reasonOf(error))),
    close: () => log.close().catch((error: unknown) => ports.untidy(reasonOf(error))),
  }
}
