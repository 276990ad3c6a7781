import * as t from 'io-ts'
import type { Descriptions } from '../description.js'
import { previewOf } from '../dry-run.js'
import { gateAnswerWithinMs } from '../host/admin.js'
import { JobStatus } from '../host/jobs.js'
import { GuardedFailure } from '../host/outbound.js'
import { Flag } from '../query.js'
import { ofHost, type Route, route, type Table, write } from '../route.js'
import { LocationSegment, LogLine } from './logs.js'

/** Why the content gate refuses a body that came (docs/spec/transcripts.md#gate). */
export const ContentRefusal = t.keyof(
  {
    content_type: null,
    empty: null,
    html: null,
    no_container: null,
    gone: null,
    interstitial: null,
    lfs_pointer: null,
    binary: null,
    too_many_lines: null,
    worse: null,
  },
  'ContentRefusal',
)
export type ContentRefusal = t.TypeOf<typeof ContentRefusal>

/**
 * Why a transcript was not taken: the content was refused, the host gave no answer, or one with another status than
 * 200. `changed`: the archive got another text of the address meanwhile.
 */
export const LogFault = t.keyof(
  { ...ContentRefusal.keys, ...GuardedFailure.keys, status: null, changed: null },
  'LogFault',
)
export type LogFault = t.TypeOf<typeof LogFault>
export const logFaults = Object.keys(LogFault.keys)

/** `Refused` where the content or the address is the cause, and not the host or the way to it. */
export const stateOfFault = (reason: LogFault): 'Failed' | 'Refused' =>
  failing.has(reason) ? 'Failed' : 'Refused'

const failing: ReadonlySet<LogFault> = new Set<LogFault>([
  ...(['not_sent', 'refused', 'tls', 'timeout', 'unreachable', 'malformed', 'status', 'changed'] as const),
])

/** What is fetched: a raw request, an address, or the transcripts of a session; nothing: all that the archive lacks. */
export const LogFetch = t.partial({ request: t.string, url: t.string, header: t.string }, 'LogFetch')
export type LogFetch = t.TypeOf<typeof LogFetch>

const summary = {
  Total: t.number,
  Fetched: t.number,
  Unchanged: t.number,
  Archived: t.number,
  Failed: t.number,
  Skipped: t.number,
  FailedUrls: t.readonlyArray(t.string),
} as const

/** What a fetch did (B 2.4). Addresses that a closed gate kept it from are only in `Total`. */
export const FetchSummary = t.type(summary, 'FetchSummary')
export type FetchSummary = t.TypeOf<typeof FetchSummary>

/** The answer 202 of a mass fetch (B 4.5). */
export const LogsJob = t.type(
  { job: t.string, kind: t.literal('logs.fetch'), status: JobStatus, statusUrl: t.string },
  'LogsJob',
)
export type LogsJob = t.TypeOf<typeof LogsJob>

/** A transcript of a session after a refresh. */
const RefreshedLog = t.type(
  {
    Url: t.string,
    State: t.keyof({ Archived: null, Missing: null, Failed: null, Refused: null }),
    Outcome: t.keyof({ Fetched: null, Unchanged: null, Archived: null, Failed: null, Skipped: null }),
    Reason: t.union([LogFault, t.null]),
    UpstreamStatus: t.union([t.number, t.null]),
  },
  'RefreshedLog',
)
export type RefreshedLog = t.TypeOf<typeof RefreshedLog>

const refreshed = { header: t.string, logs: t.readonlyArray(RefreshedLog) } as const
export const LogsRefreshed = t.type(refreshed, 'LogsRefreshed')
export type LogsRefreshed = t.TypeOf<typeof LogsRefreshed>

export const LogsRefresh = t.partial({ mode: t.literal('missing') }, 'LogsRefresh')

export const LogImport = t.intersection(
  [t.type({ url: t.string, content: t.string }), t.partial({ force: t.boolean })],
  'LogImport',
)
export type LogImport = t.TypeOf<typeof LogImport>

const imported = {
  Status: t.keyof({ Imported: null, Unchanged: null, Archived: null, DryRun: null }),
  Name: t.string,
  Url: t.string,
  Format: t.string,
  LineCount: t.number,
  Segments: t.number,
} as const

/** What an import did (B 2.4). */
export const LogImported = t.type(imported, 'LogImported')
export type LogImported = t.TypeOf<typeof LogImported>

export const LogParse = t.partial({ content: t.string, url: t.string }, 'LogParse')

/** A text as the parser reads it (B 2.4). */
export const LogParsed = t.type(
  {
    Format: t.string,
    LineCount: t.number,
    Lines: t.readonlyArray(LogLine),
    LocationSegments: t.readonlyArray(LocationSegment),
  },
  'LogParsed',
)
export type LogParsed = t.TypeOf<typeof LogParsed>

const reparsed = { Total: t.number, Rewritten: t.number, Current: t.number } as const
export const LogsReparsed = t.type(reparsed, 'LogsReparsed')
export type LogsReparsed = t.TypeOf<typeof LogsReparsed>

/** Columns of a row whose handler asks other hosts before the gate: an answer may take as long as the gate's. */
const takes = {
  method: 'POST',
  own: false,
  query: {},
  answerWithinMs: gateAnswerWithinMs,
  source: 'B 4.5, B 2.4, docs/spec/transcripts.md#fetching',
} as const satisfies Partial<Route>

/** The most transcripts that one request fetches; of more a job is made. */
export const inlineLogsMax = 20

export const logWriteRoutes = {
  'logs.fetch': write({
    ...takes,
    path: '/logs/fetch',
    summary:
      'Fetches transcripts into the archive: one, those of a session, or all that it lacks, as `async=true` a job.',
    capability: 'log.fetch',
    query: { async: Flag },
    body: LogFetch,
    answers: {
      200: t.union([FetchSummary, previewOf(summary, 'FetchPreview')], 'FetchAnswer'),
      202: LogsJob,
    },
    refusals: [
      'BodyInvalid',
      'SessionNotFound',
      'CapabilityRequired',
      'LogSourceRefused',
      'JobRunning',
      'Overloaded',
    ],
    example: { query: { async: 'false' }, body: { url: 'https://logi.example/9' } },
  }),
  'sessions.logs.refresh': write({
    ...takes,
    path: '/sessions/{header}/logs/refresh',
    summary:
      'Fetches transcripts of a session again, or with `mode: missing` those that lack; `async=true`: as a job.',
    capability: 'log.fetch',
    query: { async: Flag },
    body: LogsRefresh,
    answers: {
      200: t.union([LogsRefreshed, previewOf(refreshed, 'RefreshPreview')], 'RefreshAnswer'),
      202: LogsJob,
    },
    refusals: ['SessionNotFound', 'JobRunning', 'Overloaded'],
    source: 'B 4.2, B 4.5, docs/spec/transcripts.md#fetching',
    example: {
      path: { header: '2026-05-10, Most na Zamorzu, Brzoza' },
      query: { async: 'false' },
      body: { mode: 'missing' },
    },
  }),
  'logs.import': write({
    method: 'POST',
    path: '/logs/import',
    summary: 'Archives one transcript from a copy, under the name that its address gives.',
    capability: 'log.fetch',
    own: false,
    query: {},
    body: LogImport,
    answers: { 200: t.union([LogImported, previewOf(imported, 'ImportPreview')], 'ImportAnswer') },
    refusals: ['LogSourceRefused', 'LogContentRefused'],
    source: 'B 4.5, B 2.4, docs/spec/transcripts.md#import',
    example: { body: { url: 'https://logi.example/9', content: '[20:15] [Lokalny] Orrin: Dobry wieczór.' } },
  }),
  'logs.parse': route({
    ...ofHost,
    method: 'POST',
    path: '/logs/parse',
    summary: 'Reads a text, or the transcript of an address, into lines and places; nothing is archived.',
    capability: 'log.read',
    query: {},
    answerWithinMs: gateAnswerWithinMs,
    body: LogParse,
    answers: { 200: LogParsed },
    refusals: ['BodyInvalid', 'CapabilityRequired', 'LogSourceRefused', 'LogNotFetched', 'Overloaded'],
    source: 'B 4.5, B 2.4, docs/spec/transcripts.md#parse',
    example: { body: { content: '[20:15] [Lokalny] Orrin: Dobry wieczór.' } },
  }),
  'logs.archive.reparse': write({
    ...takes,
    path: '/logs/archive/reparse',
    summary: 'Rewrites the sidecars that an older parser made, in one commit.',
    capability: 'admin.index',
    body: null,
    answers: { 200: t.union([LogsReparsed, previewOf(reparsed, 'ReparsePreview')], 'ReparseAnswer') },
    refusals: [],
    source: 'B 4.5, docs/spec/transcripts.md#reparse',
    example: {},
  }),
} as const satisfies Table

const counts = {
  Total: 'Transcripts that were asked for.',
  Fetched: 'Those whose text is new in the archive.',
  Unchanged: 'Those whose fetched text the archive had already.',
  Archived: 'Those that the archive has, and that were not fetched.',
  Failed: 'Those that brought no text, or one that the content gate refused.',
  Skipped: 'Those that failed too often lately.',
  FailedUrls: 'Addresses of those that failed.',
} as const
const states = {
  header: 'Heading of the session.',
  logs: 'Its transcripts, in the order of `@Logi`.',
} as const
const read = {
  Format: 'Id of the format that read the text; `none` where none did.',
  LineCount: 'Number of lines.',
} as const
const copy = {
  Status: 'What was done: `Archived` where another text stands, `Unchanged` where this one does.',
  Name: 'Name of the transcript in the archive.',
  Url: 'Its address.',
  ...read,
  Segments: 'Number of its stretches in one place.',
} as const
const rewritten = {
  Total: 'Transcripts of the archive.',
  Rewritten: 'Those whose sidecar was missing or older.',
  Current: 'Those whose sidecar is of this parser.',
} as const

export const logWriteDescriptions: Descriptions = {
  LogFetch: {
    request: 'A raw HTTP request, as copied from a browser; it needs `log.fetch.request`.',
    url: 'Address of one transcript, or a raw request.',
    header: 'Heading of the session whose transcripts are fetched.',
  },
  FetchSummary: counts,
  FetchPreview: counts,
  LogsJob: {
    job: 'Id of the job.',
    kind: 'What the job does.',
    status: 'Whether the job runs, is completed or failed.',
    statusUrl: 'Address to poll for the job.',
  },
  RefreshedLog: {
    Url: 'Address of the transcript.',
    State: 'What the archive has of it, or why it has none.',
    Outcome: 'What this request did.',
    Reason: 'Why nothing was taken; null where it was, or was not tried.',
    UpstreamStatus: 'Status that the host answered; null where it is not known.',
  },
  LogsRefreshed: states,
  RefreshPreview: states,
  LogsRefresh: { mode: '`missing`: only transcripts that are not archived; absent: all.' },
  LogImport: {
    url: 'Address that the copy is of; its host is one of `integrations.logs.hosts`.',
    content: 'Text of the transcript.',
    force: 'Whether the copy takes the place of another text.',
  },
  LogImported: copy,
  ImportPreview: copy,
  LogParse: {
    content: 'Text to read.',
    url: 'Address of a transcript; one that is not archived is fetched, which needs `log.fetch`.',
  },
  LogParsed: {
    ...read,
    Lines: 'What was said and done, in the order of the text.',
    LocationSegments: 'Stretches in one place, in the order of the text.',
  },
  LogsReparsed: rewritten,
  ReparsePreview: rewritten,
}
