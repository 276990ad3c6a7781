import * as t from 'io-ts'
import { Instant } from '../atoms/instant.js'

/**
 * An event as the journal stores it and the stream sends it (A 6). `seq` grows by one with each event of a
 * host, `kind` is a key of `eventKinds` and `payload` has its codec; an older journal may contain kinds that
 * no longer exist.
 */
export const EventRecord = t.type(
  { seq: t.number, at: Instant, kind: t.string, payload: t.UnknownRecord },
  'EventRecord',
)
export type EventRecord = t.TypeOf<typeof EventRecord>

/**
 * Requested numbers that the host cannot return: `pruned` by the retention, `corrupt` on disk, or `ahead` of
 * everything that it has published.
 */
export const EventGap = t.type(
  {
    from: t.number,
    to: t.number,
    reason: t.keyof({ pruned: null, corrupt: null, ahead: null }),
  },
  'EventGap',
)
export type EventGap = Readonly<t.TypeOf<typeof EventGap>>

/**
 * A page of the journal, oldest first. `next` is the `since` of the next page; `head` the number of the last
 * event.
 */
export const EventPage = t.type(
  {
    count: t.number,
    items: t.readonlyArray(EventRecord),
    gaps: t.readonlyArray(EventGap),
    next: t.number,
    head: t.number,
  },
  'EventPage',
)
export type EventPage = t.TypeOf<typeof EventPage>

/** The text of `GET /events`: events of `EventRecord`, and `gap` with an `EventGap`. */
export const EventStream = t.string
