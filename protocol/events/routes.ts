import { PageLimitText, SequenceText } from '#protocol/query.js'
import { ofHost, route, type Table } from '#protocol/route.js'
import { EventPage, EventStream } from './record.js'
import { LogPage } from './streams.js'

/**
 * Columns of reads of this host's own records: they depend on no commit and answer before the first snapshot.
 */
const own = {
  ...ofHost,
  method: 'GET',
  early: true,
  body: null,
} as const

export const eventsRoutes = {
  'events.stream': route({
    ...own,
    path: '/events',
    summary: 'The live stream of events; `Last-Event-ID` or `since` resumes behind an event.',
    capability: 'events.subscribe',
    media: 'text/event-stream',
    query: { since: SequenceText },
    answers: { 200: EventStream },
    refusals: [],
    source: 'A 4.5, A 6',
    example: { query: { since: '0' } },
  }),
  'events.journal.list': route({
    ...own,
    path: '/events/journal',
    summary: 'Events of this host behind a number, oldest first; at most 1,000, 500 unless told.',
    capability: 'events.subscribe',
    query: { since: SequenceText, limit: PageLimitText },
    answers: { 200: EventPage },
    refusals: ['JournalDisabled'],
    source: 'A 4.5, A 6',
    example: { query: { since: '0', limit: '5' } },
  }),
  'logs.list': route({
    ...own,
    path: '/logs/{stream}',
    summary: 'Records of a stream of this host, newest first; at most 1,000, 200 unless told.',
    capability: 'log.read',
    query: { before: SequenceText, limit: PageLimitText },
    answers: { 200: LogPage },
    refusals: ['StreamNotFound'],
    source: 'B 4.5',
    example: { path: { stream: 'audit' }, query: { before: '9', limit: '5' } },
  }),
} as const satisfies Table
