import type { EventGap, EventKind, EventPayload } from '#protocol/events.js'
import type { LogPlace, ReadLimits, RecordLine } from './record-log.js'

/**
 * Passes an event to the journal and the live stream. Never throws, never waits; the journal counts what
 * fails.
 */
export type Publish = <K extends EventKind>(kind: K, payload: EventPayload<K>) => void

/** What a reader of events gets, in order; reading continues after `seq`. */
export type EventItem =
  | { readonly _tag: 'Event'; readonly seq: number; readonly text: string }
  | { readonly _tag: 'Gap'; readonly seq: number; readonly gap: EventGap }

export interface EventPart {
  readonly items: ReadonlyArray<EventItem>
  readonly place: LogPlace | null
}

/**
 * The events of this host for readers, from memory or from the journal. It outlives the actor that fills it.
 */
export interface EventFeed {
  /** The number of the last event that readers may see; 0 before the first. */
  readonly head: () => number
  /**
   * Bytes of events published since the start; the difference to a client's position is how far it has fallen
   * behind.
   */
  readonly givenBytes: () => number
  /**
   * The items after `after`, at least one where `after` is not the head. A number above the head gives a gap.
   */
  readonly after: (after: number, limits: ReadLimits, place: LogPlace | null) => Promise<EventPart>
  /** Calls `run` at every new event. Returns the function that unsubscribes. */
  readonly onMore: (run: () => void) => () => void
  /** Whether events are kept on disk (`server.event_journal`). */
  readonly isKept: boolean
}

/** The writer's side of the feed. */
export interface FilledFeed extends EventFeed {
  /** Reports that the journal is open and which number its next event gets. */
  readonly opened: (next: number) => void
  /** Publishes events to readers: they are durable, or need not be. */
  readonly give: (lines: ReadonlyArray<RecordLine>) => void
}
