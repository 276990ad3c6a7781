import * as t from 'io-ts'
import { Instant } from '../atoms/instant.js'

/**
 * An event as the journal keeps it and the stream sends it (A 6): `seq` goes up by one from event to event of one host,
 * `kind` is a key of `eventKinds` and `payload` what its codec says; an older journal may hold kinds of before.
 */
export const EventRecord = t.type(
  { seq: t.number, at: Instant, kind: t.string, payload: t.UnknownRecord },
  'EventRecord',
)
export type EventRecord = t.TypeOf<typeof EventRecord>

/**
 * Numbers that a reader asked for and cannot have: `pruned` by the retention, `corrupt` on disk, or `ahead` of
 * everything that this host has published.
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
