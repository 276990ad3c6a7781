import type { Descriptions } from '../description.js'

export const eventDescriptions: Descriptions = {
  EventRecord: {
    seq: 'Number of the event on this host, one more than that of the event before.',
    at: 'When it happened, ISO 8601 in UTC.',
    kind: 'Kind of the event, see `docs/reference/events.md`.',
    payload: 'Fields of that kind.',
  },
  EventGap: {
    from: 'First missing number.',
    to: 'Last missing number.',
    reason: 'Why they are missing: too old, unreadable on disk, or not published yet.',
  },
  EventPage: {
    items: 'Events, oldest first.',
    gaps: 'Requested numbers that cannot be answered.',
    next: '`since` of the next page.',
    head: 'Number of the newest event.',
  },
  LogPage: {
    stream: 'Name of the stream.',
    items: 'Records with `seq`, `at` and the fields of their kind, newest first.',
    next: '`before` of the page of older records; null when there are none.',
  },
}
