import type { EventKind, EventPayload } from '#protocol/events/kinds.js'
import type { EventGap } from '#protocol/events/record.js'
import type { Line, Place, ReadLimits } from './record-log.js'

/** Hands an event to the journal and the live stream. Never throws, never waits; what fails is counted there. */
export type Publish = <K extends EventKind>(kind: K, payload: EventPayload<K>) => void

/** What a reader of events gets, in order; it goes on behind `seq`. */
export type EventItem =
  | { readonly _tag: 'Event'; readonly seq: number; readonly text: string }
  | { readonly _tag: 'Gap'; readonly seq: number; readonly gap: EventGap }

export interface EventPart {
  readonly items: ReadonlyArray<EventItem>
  readonly place: Place | null
}

/** The events of this host for readers, from memory or from the journal; outlives the actor that fills it. */
export interface EventFeed {
  /** The number of the last event that readers may see; 0 before the first. */
  readonly head: () => number
  /** Bytes of events given out since the start: what a client that stalls falls behind by. */
  readonly givenBytes: () => number
  /** What comes behind `after`, at least one item where `after` is not the head; a number that is ahead is a gap. */
  readonly after: (after: number, limits: ReadLimits, place: Place | null) => Promise<EventPart>
  /** Runs at every new event until it is taken back. */
  readonly onMore: (run: () => void) => () => void
  /** Whether events are kept on disk (`server.event_journal`). */
  readonly isKept: boolean
}

/** The writer's side of the feed. */
export interface FilledFeed extends EventFeed {
  /** The journal was opened: its next event gets this number. */
  readonly opened: (next: number) => void
  /** Shows events that are durable, or that need not be. */
  readonly give: (lines: ReadonlyArray<Line>) => void
}
