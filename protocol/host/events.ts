import * as t from 'io-ts'
import { Instant } from '../atoms.js'
import type { Descriptions } from '../description.js'
import { PageLimitText, SequenceText } from '../query.js'
import { ofHost, route, type Table } from '../route.js'

const text = t.string
const texts = t.readonlyArray(t.string)
const commit = t.union([t.string, t.null])
const Touched = t.strict({ kind: text, name: text })

/**
 * Every kind of event with the codec of its payload (A 6): the one source of the stream, the journal and the
 * reference. A payload never contains a secret or text of the lore.
 */
export const eventKinds = {
  'snapshot:published': t.strict({ generation: t.number, commit }),
  'write:committed': t.strict({
    commit: text,
    route: text,
    actor: text,
    intent: text,
    subject: text,
    touches: t.readonlyArray(Touched),
  }),
  'tree:committed': t.strict({
    tree: text,
    commit: text,
    route: text,
    actor: text,
    intent: text,
    subject: text,
    touches: t.readonlyArray(Touched),
  }),
  'governance:changed': t.strict({ commit: text, gameId: text, actor: text }),
  'adoption:done': t.strict({ commit, files: t.number, findings: t.number }),
  'mode:changed': t.strict({
    mode: text,
    detail: t.union([text, t.null]),
    actor: text,
    token: t.union([text, t.null]),
    tokenName: t.union([text, t.null]),
  }),
  'fleet:role': t.strict({
    town: text,
    role: text,
    before: text,
    apex: t.union([text, t.null]),
    term: t.union([t.number, t.null]),
  }),
  'sync:converged': t.strict({ action: text, commit, incoming: t.number, outgoing: t.number }),
  'sync:failed': t.strict({ action: text, detail: text }),
  'sync:parked': t.strict({ ref: text, commit: text, files: texts, reason: text }),
  'close:deferred': t.strict({ header: text, mrIid: t.number }),
  'enactment:reversed': t.strict({ mrIid: t.number, names: texts, blocked: t.union([text, t.null]) }),
  'fleet:peer': t.strict({
    town: text,
    reachable: t.boolean,
    consecutiveMisses: t.number,
    failure: t.union([text, t.null]),
  }),
  'job:started': t.strict({ jobId: text, kind: text }),
  'job:progress': t.strict({ jobId: text, kind: text, done: t.number, total: t.number, detail: text }),
  'mapdimensions:progress': t.strict({ done: t.number, total: t.number, detail: text }),
  'logfetch:progress': t.strict({ done: t.number, total: t.number, detail: text }),
  'job:ended': t.strict({ jobId: text, kind: text, status: text, error: t.union([text, t.null]) }),
  'lint:recorded': t.strict({ sha: commit, errors: t.number, warnings: t.number }),
  'fleet:takeover': t.strict({
    id: text,
    town: text,
    apex: text,
    term: t.number,
    state: text,
    failure: t.union([text, t.null]),
    mrIid: t.union([t.number, t.null]),
  }),
  'hook:failed': t.strict({ hook: text, commit: text, reason: text }),
} as const satisfies { readonly [kind: string]: t.Mixed }

export type EventKind = keyof typeof eventKinds
export type EventPayload<K extends EventKind> = t.TypeOf<(typeof eventKinds)[K]>

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
const EventStream = t.string

/** The log streams of `GET /logs/{stream}` (B 4.5). */
export const logStreams = ['operational', 'request', 'audit'] as const
export type LogStream = (typeof logStreams)[number]

export const LogStream = t.keyof({ operational: null, request: null, audit: null }, 'LogStream')

/**
 * A page of a stream, newest first. Each record has `seq`, `at` and the fields of its kind; `next` is the
 * `before` of the page with older records, null when there are none.
 */
export const LogPage = t.type(
  {
    stream: LogStream,
    count: t.number,
    items: t.readonlyArray(t.UnknownRecord),
    next: t.union([t.number, t.null]),
  },
  'LogPage',
)
export type LogPage = t.TypeOf<typeof LogPage>

const AuditAction = t.keyof({
  write: null,
  adoption: null,
  mode: null,
  'credential.refused': null,
  'token.mint': null,
  'token.revoke': null,
  'identity.register': null,
  'identity.assign': null,
  'history.accept': null,
  'history.replay': null,
  'fleet.takeover': null,
  'fleet.announce': null,
  'chat.send': null,
  'model.promote': null,
  'model.rollback': null,
  'model.run': null,
})
/** Actions in the audit stream beside writes that are events; each names its actor (A 6). */
export type AuditAction = t.TypeOf<typeof AuditAction>

/** A line of the audit stream, before it has a number and a time. */
export const AuditLine = t.intersection(
  [
    t.type({ action: AuditAction, actor: t.string }),
    t.record(t.string, t.union([t.string, t.number, t.null])),
  ],
  'AuditLine',
)
export type AuditLine = Readonly<t.TypeOf<typeof AuditLine>>

/**
 * The key that distinguishes a line from all others: a write has one line for each action, and so has a named
 * token. Null for a line that is not owed.
 */
export const keyOf = (line: Readonly<Record<string, unknown>>): string | null => {
  const { action, intent, id } = line
  const of = intent ?? id
  return typeof action === 'string' && typeof of === 'string' ? `${action} ${of}` : null
}

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
