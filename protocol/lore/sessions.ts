import * as t from 'io-ts'
import { Day, Generation, RepoPath } from '../atoms.js'
import type { Descriptions } from '../description.js'
import { previewOf } from '../dry-run.js'
import { IntegrityFinding } from '../finding.js'
import { listOf } from '../list.js'
import { DayText, Text, windowQuery } from '../query.js'
import { ofHost, type Route, read, route, type Table } from '../route.js'

const TextOrNull = t.union([t.string, t.null])
const DayOrNull = t.union([Day, t.null])
const texts = t.readonlyArray(t.string)

/** PU in a session; null when the line has no number. */
const SessionPu = t.type({ Character: t.string, Value: t.union([t.number, t.null]) }, 'SessionPu')

/**
 * What became of a transcript: archived, never taken, or the last attempt of this host failed, or was refused because
 * of its content. Rows that every host answers alike know the first two alone.
 */
export const TranscriptState = t.keyof(
  { Archived: null, Missing: null, Failed: null, Refused: null },
  'TranscriptState',
)
export type TranscriptState = t.TypeOf<typeof TranscriptState>

/** What the committed archive has of a transcript. */
const LogState = t.type({ Url: t.string, State: TranscriptState }, 'LogState')
export type LogState = t.TypeOf<typeof LogState>

const said = {
  Date: Day,
  DateEnd: DayOrNull,
  Title: t.string,
  Narrator: TextOrNull,
  Narrators: texts,
  Reporter: TextOrNull,
  ReporterSource: t.union([t.literal('log-saver-slug'), t.null]),
  SavedDate: DayOrNull,
  Generation,
  LogCount: t.number,
  LogsUrl: TextOrNull,
  Locations: texts,
  PU: t.readonlyArray(SessionPu),
  Participants: texts,
  Files: texts,
} as const

const weighty = {
  Description: t.string,
  LogStates: t.readonlyArray(LogState),
} as const

/** A session in a list of summaries: all of a row except `Description` and `LogStates` (B 2.2). */
export const SessionSummary = t.type({ Header: t.string, ...said }, 'SessionSummary')
export type SessionSummary = t.TypeOf<typeof SessionSummary>

/**
 * A session (B 2.2). `Date` is the in-fiction day, `SavedDate` the day on which its transcript was saved;
 * neither corrects the other.
 */
export const SessionRow = t.type({ Header: t.string, ...said, ...weighty }, 'SessionRow')
export type SessionRow = t.TypeOf<typeof SessionRow>

const header = t.type({ Header: t.string })

/** A row that `fields` may have reduced; `Header` is always present (B 4.2). */
export const NarrowedRow = t.intersection([header, t.partial({ ...said, ...weighty })], 'NarrowedRow')
export type NarrowedRow = t.TypeOf<typeof NarrowedRow>
const NarrowedSummary = t.intersection([header, t.partial(said)], 'NarrowedSummary')

/** The names that `fields` can keep. */
export const rowFields: ReadonlyArray<string> = [...Object.keys(said), ...Object.keys(weighty)]

const SessionChange = t.type(
  { Entity: t.string, Tags: t.readonlyArray(t.type({ Tag: t.string, Value: t.string })) },
  'SessionChange',
)
const SessionTransfer = t.type(
  { Amount: t.number, Denomination: t.string, Source: t.string, Destination: t.string },
  'SessionTransfer',
)

/** A single session: the row with its effects, its places, and its state in the close ledger. */
export const SessionFetch = t.intersection(
  [
    SessionRow,
    t.type({
      Council: t.boolean,
      NarratorPersons: texts,
      NarratorsSure: t.boolean,
      Logs: texts,
      Zmiany: t.readonlyArray(SessionChange),
      Transfers: t.readonlyArray(SessionTransfer),
      Intel: t.readonlyArray(t.type({ Target: t.string, Message: t.string })),
      Preserved: t.readonlyArray(t.type({ Name: t.string, Text: t.string })),
      Copies: t.readonlyArray(t.type({ File: t.string, Line: t.number, EndLine: t.number })),
      Closed: t.boolean,
      Distributed: t.boolean,
    }),
  ],
  'SessionFetch',
)
export type SessionFetch = t.TypeOf<typeof SessionFetch>

const SessionList = listOf(NarrowedRow, 'SessionList')
const SessionSummaryList = listOf(NarrowedSummary, 'SessionSummaryList')
const SessionIntegrity = listOf(IntegrityFinding, 'SessionIntegrity')

const place = { File: t.string, Line: t.number } as const

/**
 * A session whose copies differ. `DisputedPu` names the characters to whom they give different PU; no batch
 * counts such a session.
 */
export const Divergence = t.type(
  {
    Header: t.string,
    Severity: t.keyof({ Error: null, Warning: null, Info: null }),
    DisputedPu: texts,
    Copies: t.readonlyArray(t.type(place)),
    Differences: t.readonlyArray(
      t.type({ Field: t.string, Values: t.readonlyArray(t.type({ ...place, Value: t.string })) }),
    ),
  },
  'Divergence',
)
export type Divergence = t.TypeOf<typeof Divergence>
const DivergenceList = listOf(Divergence, 'DivergenceList')

/** Who played together: characters as nodes, sessions that two of them share as the weight of an edge. */
export const SessionGraph = t.type(
  {
    NodeCount: t.number,
    EdgeCount: t.number,
    Nodes: t.readonlyArray(t.type({ Name: t.string, Type: TextOrNull, Sessions: t.number })),
    Edges: t.readonlyArray(
      t.type({ Source: t.string, Target: t.string, Type: t.literal('Session'), Weight: t.number }),
    ),
  },
  'SessionGraph',
)
export type SessionGraph = t.TypeOf<typeof SessionGraph>

/** Sessions that are not closed; `narrator` and `forms` only with the filter (B 4.2). */
const OpenSessions = t.intersection(
  [
    t.type({ count: t.number, items: t.readonlyArray(SessionSummary) }),
    t.partial({ narrator: t.string, forms: texts, sure: t.boolean }),
  ],
  'OpenSessions',
)

const Tally = t.type({ Name: t.string, Sessions: t.number }, 'Tally')

/**
 * A narrator over all sessions. `Narrator` is the person, or the requested name when no person has it.
 */
export const NarratorProfile = t.type(
  {
    Narrator: t.string,
    Person: TextOrNull,
    Sure: t.boolean,
    Council: t.boolean,
    Forms: texts,
    Sessions: t.number,
    Open: t.number,
    First: Day,
    Last: Day,
    Years: t.readonlyArray(t.type({ Year: t.string, Sessions: t.number })),
    CoNarrators: t.readonlyArray(Tally),
    Characters: t.readonlyArray(Tally),
    Locations: t.readonlyArray(Tally),
    Items: t.readonlyArray(t.type({ Header: t.string, Date: Day, Title: t.string })),
  },
  'NarratorProfile',
)
export type NarratorProfile = t.TypeOf<typeof NarratorProfile>

export const BatchBody = t.intersection(
  [t.type({ headers: texts }), t.partial({ fields: t.string })],
  'SessionBatchBody',
)
const SessionBatch = t.type(
  { count: t.number, items: t.readonlyArray(NarrowedRow), missing: texts },
  'SessionBatch',
)

const CompareBody = t.type({ headers: texts }, 'SessionCompareBody')

const traits = { Narrators: texts, Characters: texts, Locations: texts, Entities: texts } as const

/** A comparison of sessions: what all share, and what only one of them has. */
export const SessionComparison = t.type(
  {
    count: t.number,
    items: t.readonlyArray(SessionSummary),
    Shared: t.type(traits),
    Only: t.readonlyArray(t.type({ Header: t.string, ...traits })),
  },
  'SessionComparison',
)
export type SessionComparison = t.TypeOf<typeof SessionComparison>

/** Staged drafts, oldest first; `Target` is the file of the draft, null when none was named. */
const StagedSessions = listOf(
  t.intersection([SessionSummary, t.type({ Target: TextOrNull })], 'StagedSession'),
  'StagedSessions',
)

const paths = t.readonlyArray(RepoPath)

const plan = {
  Roots: t.number,
  Writes: t.type({ Populated: t.number, Empty: t.number, Unchanged: t.number }),
  Deletes: paths,
  /** Files that were not generated and are left alone. */
  Holdouts: paths,
  /** The first three add up to the total. */
  Placement: t.type({
    Placed: t.number,
    RegisteredUnplaced: t.number,
    NoLocation: t.number,
    Total: t.number,
  }),
} as const

/** The registry of sessions by place: what was written or, with `Applied` false, what would be (B 2.2). */
export const RegistryAnswer = t.union(
  [t.type({ Applied: t.literal(true), ...plan }), previewOf({ Applied: t.literal(false), ...plan })],
  'RegistryAnswer',
)
export type RegistryAnswer = Extract<t.TypeOf<typeof RegistryAnswer>, { readonly Applied: true }>

const sha256 = t.union([t.string, t.null])
const counts = { added: t.number, changed: t.number, unchanged: t.number } as const

/**
 * Baselines of all sessions: lines written, sessions that had none before, and those whose text had drifted.
 */
export const HashAnswer = t.union(
  [t.type({ hashed: t.number, ...counts }), previewOf({ wouldHash: t.number, ...counts })],
  'SessionHashAnswer',
)

/**
 * The baseline of one session; `changed` is false when it was this text already. `sha256` is null for a
 * caller who may not read restricted topics, because the hash covers them too.
 */
export const RebaselineAnswer = t.union(
  [
    t.type({ rebaselined: t.string, sha256, changed: t.boolean }),
    previewOf({ wouldRebaseline: t.string, sha256, changed: t.boolean }),
  ],
  'RebaselineAnswer',
)

/** The regenerated graph of who played together (A 4.1.3). */
export const GraphRebuilt = t.type(
  { rebuiltAt: t.string, NodeCount: t.number, EdgeCount: t.number },
  'SessionGraphRebuilt',
)

type Applied<U, K extends string> = Extract<U, Record<K, unknown>>
export type HashAnswer = Applied<t.TypeOf<typeof HashAnswer>, 'hashed'>
export type RebaselineAnswer = Applied<t.TypeOf<typeof RebaselineAnswer>, 'rebaselined'>

const listQuery = {
  narrator: Text,
  from: DayText,
  to: DayText,
  entity: Text,
  fields: Text,
  ...windowQuery,
} as const

/** Columns of a question whose parameters are too long for a query: a POST that writes nothing. */
const question = {
  ...ofHost,
  method: 'POST',
  capability: 'session.read',
  query: {},
  source: 'B 4.2',
} as const satisfies Partial<Route>

export const sessionsRoutes = {
  'sessions.list': read({
    path: '/sessions',
    summary: 'Sessions, oldest first, filtered; `fields` narrows each row after paging.',
    capability: 'session.read',
    query: listQuery,
    wholeCorpus: true,
    answers: { 200: SessionList },
    refusals: [],
    source: 'B 4.2',
    example: {
      query: {
        narrator: 'Brzoza',
        from: '2026-01-01',
        to: '2026-12-31',
        entity: 'Wit Kłos',
        fields: 'Title',
        limit: '5',
        offset: '0',
      },
    },
  }),
  'sessions.summary.list': read({
    path: '/sessions/summary',
    summary: 'Sessions without `Description` and `LogStates`.',
    capability: 'session.read',
    query: listQuery,
    wholeCorpus: true,
    answers: { 200: SessionSummaryList },
    refusals: [],
    source: 'B 4.2',
    example: {
      query: {
        narrator: 'Brzoza',
        from: '2026-01-01',
        to: '2026-12-31',
        entity: 'Wit Kłos',
        fields: 'Title',
        limit: '5',
        offset: '0',
      },
    },
  }),
  'sessions.integrity.list': read({
    path: '/sessions/integrity',
    summary:
      'The findings about files with sessions and their ledgers: unread lines, effects that were refused, drift.',
    capability: 'session.read',
    findings: true,
    query: { ...windowQuery },
    answers: { 200: SessionIntegrity },
    refusals: [],
    source: 'B 4.2',
    example: { query: { limit: '5', offset: '0' } },
  }),
  'sessions.divergence.list': read({
    path: '/sessions/divergence',
    summary: 'Sessions whose copies in several files differ, field by field.',
    capability: 'session.read',
    query: { ...windowQuery },
    answers: { 200: DivergenceList },
    refusals: [],
    source: 'B 4.2',
    example: { query: { limit: '5', offset: '0' } },
  }),
  'sessions.graph.get': read({
    path: '/sessions/graph',
    summary: 'Who played together, and how often.',
    capability: 'session.read',
    query: {},
    answers: { 200: SessionGraph },
    refusals: [],
    source: 'B 4.2',
    example: {},
  }),
  'sessions.open.list': read({
    path: '/sessions/open',
    summary: 'Sessions neither closed nor distributed; `narrator` folds to the person.',
    capability: 'session.read',
    query: { narrator: Text },
    answers: { 200: OpenSessions },
    refusals: [],
    source: 'B 4.2',
    example: { query: { narrator: 'Brzoza' } },
  }),
  'sessions.staged.list': read({
    path: '/sessions/staged',
    summary: 'Drafts of sessions that are staged and stand in no file yet, oldest first.',
    capability: 'session.read',
    query: { ...windowQuery },
    answers: { 200: StagedSessions },
    refusals: [],
    source: 'B 4.2',
    example: { query: { limit: '5', offset: '0' } },
  }),
  'sessions.get': read({
    path: '/sessions/{header}',
    summary: 'One session by its header.',
    capability: 'session.read',
    query: {},
    answers: { 200: SessionFetch },
    refusals: ['SessionNotFound'],
    source: 'B 4.2',
    example: { path: { header: '2026-05-20, Wieża/Latarnia, Brzoza' } },
  }),
  'sessions.narratorProfile.get': read({
    path: '/sessions/narrator/{nick}/profile',
    summary: 'A narrator over all sessions, folded to the person.',
    capability: 'session.read',
    query: {},
    answers: { 200: NarratorProfile },
    refusals: ['NarratorNotFound'],
    source: 'B 4.2',
    example: { path: { nick: 'Brzoza' } },
  }),
  'sessions.batch.list': route({
    ...question,
    path: '/sessions/batch',
    summary:
      'At most 200 sessions by their headers, each once, in the order asked; unknown headers are listed.',
    body: BatchBody,
    answers: { 200: SessionBatch },
    refusals: ['BodyInvalid', 'AnswerTooLarge'],
    example: {
      body: { headers: ['2026-05-10, Most na Zamorzu, Brzoza', '2026-05-20, Wieża/Latarnia, Brzoza'] },
    },
  }),
  'sessions.compare': route({
    ...question,
    path: '/sessions/compare',
    summary: 'What at most 200 sessions share, and what each alone has.',
    body: CompareBody,
    answers: { 200: SessionComparison },
    refusals: ['BodyInvalid', 'SessionNotFound'],
    example: {
      body: { headers: ['2026-05-10, Most na Zamorzu, Brzoza', '2026-05-20, Wieża/Latarnia, Brzoza'] },
    },
  }),
} as const satisfies Table

const saidText = {
  Date: 'Day of the session in the fiction, `YYYY-MM-DD`.',
  DateEnd: 'Last day of a session of several days; null for one day.',
  Title: 'Title from the heading.',
  Narrator: 'Narrator field of the heading, as written; null without one.',
  Narrators: 'Names of the narrators, one each.',
  Reporter: 'Person who saved the transcript; null when unknown.',
  ReporterSource: 'How the reporter is known: from the address of the transcript; null when unknown.',
  SavedDate: 'Day the transcript was saved, `YYYY-MM-DD`; null when unknown. It does not correct `Date`.',
  Generation: 'Generation of the session format, from the oldest to the current one.',
  LogCount: 'Number of transcript addresses.',
  LogsUrl: 'Address of the transcripts of the session; null when it cites none.',
  Locations: 'Places of the session, as written in `@Lokacje`.',
  PU: 'PU that the session gives, by character.',
  Participants: 'Characters listed as taking part.',
  Files: 'Paths of the files that have a copy of the session.',
} as const

const row = {
  ...saidText,
  Description: 'Prose of the session, as Markdown.',
  LogStates: 'State of each transcript in the committed archive.',
} as const

const traitsText = {
  Narrators: 'Names of narrators.',
  Characters: 'Headings of characters.',
  Locations: 'Headings of places.',
  Entities: 'Headings of other blocks that the session mentions.',
} as const

export const sessionDescriptions: Descriptions = {
  SessionSummary: saidText,
  StagedSession: {
    ...saidText,
    Target: 'Path of the file that the draft is meant for; null when none is named.',
  },
  NarrowedRow: row,
  NarrowedSummary: saidText,
  SessionPu: {
    Character: 'Name of the character, as written.',
    Value: 'PU given, in points with decimals; null where the row has no number.',
  },
  LogState: {
    Url: 'Address of the transcript.',
    State: '`Archived` or `Missing`: whether the committed archive has it.',
  },
  SessionFetch: {
    ...row,
    Council: 'True when the council narrated the session.',
    NarratorPersons: 'Headings of the people whom the narrator field means.',
    NarratorsSure: 'False when one of them is meant by an inflected form or a near spelling.',
    Logs: 'Addresses of all transcripts.',
    Zmiany: 'Changes of blocks that the session states.',
    Transfers: 'Transfers of money that the session states.',
    Intel: 'Messages to deliver when the session is closed.',
    Preserved: 'Blocks of the session that have no meaning to the daemon and are kept as they are.',
    Copies: 'Every copy of the session, with its place.',
    Closed: 'True when the close ledger has the session: its effects are final.',
    Distributed: 'True when a PU batch has settled the session.',
  },
  SessionChange: { Entity: 'Block that changes, as written.', Tags: 'Values that it gets.' },
  'SessionChange.Tags': { Tag: 'Tag without the at sign.', Value: 'New value of the tag.' },
  SessionTransfer: {
    Amount: 'Amount of money, in coins of the denomination.',
    Denomination: 'Name of the coin.',
    Source: 'Who pays, as written.',
    Destination: 'Who receives, as written.',
  },
  'SessionFetch.Intel': {
    Target: 'Addressee: names, or a group or place with its prefix.',
    Message: 'Text of the message.',
  },
  'SessionFetch.Preserved': { Name: 'Name of the block.', Text: 'Lines of the block, as written.' },
  'SessionFetch.Copies': {
    Line: 'First line of the copy, counted from 1.',
    EndLine: 'Last line of the copy, counted from 1.',
  },
  Divergence: {
    Severity: 'How grave the difference is.',
    DisputedPu: 'Characters to whom the copies give different PU; no batch counts the session for them.',
    Copies: 'Places of the copies.',
    Differences: 'Fields in which the copies differ.',
  },
  'Divergence.Differences': { Field: 'Name of the field.', Values: 'Value of each copy.' },
  'Divergence.Differences.Values': { Value: 'Value of the field in this copy.' },
  SessionGraph: {
    NodeCount: 'Number of `Nodes`.',
    EdgeCount: 'Number of `Edges`.',
    Nodes: 'Characters who played.',
    Edges: 'Pairs of characters who played together.',
  },
  'SessionGraph.Nodes': {
    Name: 'Heading of the character, or the name as written.',
    Type: 'Type of the block; null when the name means none.',
    Sessions: 'Number of sessions of the character.',
  },
  'SessionGraph.Edges': {
    Source: 'One of the two characters.',
    Target: 'The other character.',
    Type: 'Always `Session`.',
    Weight: 'Number of sessions that both played in.',
  },
  OpenSessions: {
    items: 'Sessions that are not closed.',
    narrator: 'The narrator of the filter; absent without one.',
    forms: 'Names by which the narrator was searched; absent without the filter.',
    sure: 'False when the filter or one of `forms` is an inflected form or a near spelling; absent without the filter.',
  },
  NarratorProfile: {
    Narrator: 'Heading of the person, or the requested name when it means no person.',
    Person: 'Heading of the person; null when the name means no person.',
    Sure: 'False when the name or one of `Forms` is an inflected form or a near spelling.',
    Council: 'True when the name is that of the council.',
    Forms: 'Names by which the narrator was searched.',
    Sessions: 'Number of sessions narrated.',
    Open: 'Number of those that are not closed.',
    First: 'Day of the first session, `YYYY-MM-DD`.',
    Last: 'Day of the last session, `YYYY-MM-DD`.',
    Years: 'Sessions by year, oldest first.',
    CoNarrators: 'People who narrated with this one, most sessions first.',
    Characters: 'Characters who played with this narrator, most sessions first.',
    Locations: 'Places of the sessions, most sessions first.',
    Items: 'The sessions themselves.',
  },
  'NarratorProfile.Years': { Year: 'Year, `YYYY`.', Sessions: 'Number of sessions of the year.' },
  'NarratorProfile.Items': { Date: 'Day of the session, `YYYY-MM-DD`.', Title: 'Title of the session.' },
  Tally: { Name: 'Name that is counted.', Sessions: 'Number of sessions with it.' },
  SessionBatchBody: {
    headers: 'Headings of the wanted sessions.',
    fields: 'Names of the fields to keep, separated by commas; all without it.',
  },
  SessionBatch: {
    items: 'The sessions that were found, in the order of the request.',
    missing: 'Requested headings that no session has.',
  },
  SessionCompareBody: { headers: 'Headings of the sessions to compare.' },
  SessionComparison: {
    items: 'The compared sessions.',
    Shared: 'What all of the sessions have.',
    Only: 'What each session has and no other.',
  },
  'SessionComparison.Shared': traitsText,
  'SessionComparison.Only': traitsText,
}
