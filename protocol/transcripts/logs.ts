import * as t from 'io-ts'
import type { Descriptions } from '../description.js'
import { TranscriptState } from '../lore/sessions.js'
import { DayText, OffsetText, PageLimitText, Text } from '../query.js'
import { actsOnHost, ofHost, type Route, route, type Table } from '../route.js'

const textOrNull = t.union([t.string, t.null])
const numberOrNull = t.union([t.number, t.null])
const texts = t.readonlyArray(t.string)

/** The eight fields that a line has in the part `lines`. */
const shortLine = {
  Index: t.number,
  Time: textOrNull,
  Channel: textOrNull,
  Segment: numberOrNull,
  Speaker: textOrNull,
  SpeakerResolved: textOrNull,
  Text: t.string,
  Dice: textOrNull,
} as const

/** All thirteen fields of a line. */
const wholeLine = {
  ...shortLine,
  Day: t.number,
  Kind: t.keyof({ say: null, act: null, note: null, place: null, unread: null }),
  SpeakerStage: textOrNull,
  Start: t.number,
  End: t.number,
} as const

/** A name in a line. The keys are those of a sidecar. */
const LineMention = t.type(
  {
    start: t.number,
    end: t.number,
    text: t.string,
    lemma: textOrNull,
    kind: textOrNull,
    capitalised: t.boolean,
  },
  'LineMention',
)
export type LineMention = t.TypeOf<typeof LineMention>

/** A line of a transcript with all its fields. */
export const LogLine = t.type(wholeLine, 'LogLine')
export type LogLine = t.TypeOf<typeof LogLine>

/** A line with the transcript that has it. */
export const FoundLogLine = t.type(
  { ...wholeLine, Log: t.string, Header: textOrNull, Date: textOrNull, Place: textOrNull },
  'FoundLogLine',
)
export type FoundLogLine = t.TypeOf<typeof FoundLogLine>

/** A page of a list that has one always. */
export const pageOf = <A, O>(item: t.Type<A, O>, name: string) =>
  t.type(
    {
      count: t.number,
      total: t.number,
      limit: t.number,
      offset: t.number,
      items: t.readonlyArray(item),
    },
    name,
  )

const LineMentions = t.type({ Mentions: t.readonlyArray(LineMention) })

/** A line with the fields of the part `lines`. */
const ShortLogLine = t.type(shortLine, 'ShortLogLine')

const SidecarLine = t.union([
  LogLine,
  t.intersection([ShortLogLine, LineMentions], 'MentioningLogLine'),
  ShortLogLine,
])

export const LocationSegment = t.type({ Place: t.string, First: t.number, Last: t.number }, 'LocationSegment')

const meta = {
  Url: textOrNull,
  Format: t.string,
  Parser: t.number,
  Sha256: t.string,
  LineCount: t.number,
  Unread: t.number,
  Header: textOrNull,
  Title: textOrNull,
  Date: textOrNull,
  Sessions: texts,
} as const

/** A transcript, or the parts of it that `include` names. */
export const ParsedLog = t.intersection(
  [
    t.type({ Name: t.string }),
    t.partial({
      ...meta,
      LocationSegments: t.readonlyArray(LocationSegment),
      Lines: t.readonlyArray(SidecarLine),
    }),
  ],
  'ParsedLog',
)
export type ParsedLog = t.TypeOf<typeof ParsedLog>

/** The parts that `include` can name. */
export const includeParts = ['meta', 'segments', 'lines', 'mentions'] as const
export type IncludePart = (typeof includeParts)[number]

const LogStatus = t.type(
  {
    Url: textOrNull,
    Name: t.string,
    State: TranscriptState,
    Reason: textOrNull,
    UpstreamStatus: numberOrNull,
    Attempts: t.number,
    At: textOrNull,
    Sessions: texts,
  },
  'LogStatus',
)
export type LogStatus = t.TypeOf<typeof LogStatus>

const TranscriptIndexReading = t.type(
  { Stamp: t.string, Logs: t.number, Lines: t.number },
  'TranscriptIndexReading',
)

/** The archive as this host sees it. */
export const ArchiveStatus = t.intersection(
  [
    pageOf(LogStatus, 'LogStatusPage'),
    t.type({
      Archived: t.number,
      Missing: t.number,
      Failed: t.number,
      Refused: t.number,
      Index: t.union([TranscriptIndexReading, t.null]),
    }),
  ],
  'ArchiveStatus',
)
export type ArchiveStatus = t.TypeOf<typeof ArchiveStatus>

/** What a speaker, as written, said over all transcripts. */
export const LogSpeaker = t.type(
  {
    Speaker: t.string,
    SpeakerResolved: textOrNull,
    SpeakerStage: textOrNull,
    Logs: t.number,
    Lines: t.number,
    Words: t.number,
    First: textOrNull,
    Last: textOrNull,
  },
  'LogSpeaker',
)
export type LogSpeaker = t.TypeOf<typeof LogSpeaker>

const IndexedMention = t.intersection([t.type({ Index: t.number }), LineMention], 'IndexedMention')

/** Consecutive lines of one speaker in one channel and one place. */
export const LogRun = t.type(
  {
    Speaker: t.string,
    SpeakerResolved: textOrNull,
    SpeakerStage: textOrNull,
    Channel: textOrNull,
    Segment: numberOrNull,
    First: t.number,
    Last: t.number,
    Lines: t.number,
    From: textOrNull,
    To: textOrNull,
    Text: t.string,
  },
  'LogRun',
)
export type LogRun = t.TypeOf<typeof LogRun>

const SessionLog = t.type(
  { Url: t.string, Name: t.string, State: TranscriptState, Parsed: t.union([ParsedLog, t.null]) },
  'SessionLog',
)
export type SessionLog = t.TypeOf<typeof SessionLog>

/** The transcripts that a session cites. */
const SessionLogs = t.type(
  { Header: t.string, count: t.number, items: t.readonlyArray(SessionLog) },
  'SessionLogs',
)

/** The index after a rebuild; for a dry run, as it is. */
const IndexRebuilt = t.type(
  { rebuilt: t.boolean, Index: t.union([TranscriptIndexReading, t.null]) },
  'TranscriptIndexRebuilt',
)

/** Parameters of a page. */
export const page = { limit: PageLimitText, offset: OffsetText } as const

/** Columns of a question to the index of transcripts, which only a host with an index answers. */
const question = {
  ...ofHost,
  method: 'GET',
  capability: 'log.read',
  body: null,
  source: 'B 4.5, docs/spec/transcripts.md',
} as const satisfies Partial<Route>

const unready = ['Starting', 'Overloaded'] as const

/** Transcripts of play, as they are archived and read into lines (B 4.5). */
export const logsRoutes = {
  'logs.status.list': route({
    ...question,
    path: '/logs/status',
    summary: 'What is archived, missing and failed, and why; at most 1,000 rows, 100 unless told.',
    query: { state: Text, ...page },
    answers: { 200: ArchiveStatus },
    refusals: [],
    example: { query: { state: 'Archived', limit: '5', offset: '0' } },
  }),
  'logs.lines.list': route({
    ...question,
    path: '/logs/lines',
    summary: 'Lines of transcripts that pass every filter, oldest first; at most 1,000, 100 unless told.',
    query: {
      text: Text,
      log: Text,
      speaker: Text,
      channel: Text,
      from: DayText,
      to: DayText,
      ...page,
    },
    answers: { 200: pageOf(FoundLogLine, 'FoundLogLines') },
    refusals: unready,
    example: {
      query: {
        text: 'mostem',
        log: '1',
        speaker: 'Wit Kłos',
        channel: 'Lokalny',
        from: '2026-01-01',
        to: '2026-12-31',
        limit: '5',
        offset: '0',
      },
    },
  }),
  'logs.speakers.list': route({
    ...question,
    path: '/logs/speakers',
    summary: 'Who speaks in transcripts, as written, the most lines first; at most 1,000, 100 unless told.',
    query: { log: Text, channel: Text, ...page },
    answers: { 200: pageOf(LogSpeaker, 'LogSpeakers') },
    refusals: unready,
    example: { query: { log: '1', channel: 'Lokalny', limit: '5', offset: '0' } },
  }),
  'logs.archive.get': route({
    ...question,
    path: '/logs/archive/{log}',
    summary: 'A transcript by its name or address; `include` takes parts: meta, segments, lines, mentions.',
    query: { include: Text },
    answers: { 200: ParsedLog },
    refusals: [...unready, 'LogNotFound'],
    example: { path: { log: '1' }, query: { include: 'meta,segments,lines,mentions' } },
  }),
  'logs.archiveMentions.list': route({
    ...question,
    path: '/logs/archive/{log}/mentions',
    summary: 'The names in the lines of a transcript, each with the block that it means.',
    query: {},
    answers: { 200: t.type({ count: t.number, items: t.readonlyArray(IndexedMention) }, 'LogMentions') },
    refusals: [...unready, 'LogNotFound'],
    example: { path: { log: '1' } },
  }),
  'logs.archiveRuns.list': route({
    ...question,
    path: '/logs/archive/{log}/runs',
    summary: 'The turns of a transcript: consecutive lines of one speaker in one channel and place.',
    query: {},
    answers: { 200: t.type({ count: t.number, items: t.readonlyArray(LogRun) }, 'LogRuns') },
    refusals: [...unready, 'LogNotFound'],
    example: { path: { log: '1' } },
  }),
  'sessions.logs.list': route({
    ...question,
    path: '/sessions/{header}/logs',
    capability: 'session.read',
    summary: 'The transcripts of a session with their states; their lines only for holders of `log.read`.',
    query: { include: Text },
    answers: { 200: SessionLogs },
    refusals: ['SessionNotFound', ...unready],
    source: 'B 4.2, docs/spec/transcripts.md',
    example: {
      path: { header: '2026-05-10, Most na Zamorzu, Brzoza' },
      query: { include: 'meta' },
    },
  }),
  'logs.index.rebuild': route({
    ...actsOnHost,
    method: 'POST',
    path: '/logs/index/rebuild',
    anyCommit: true,
    summary:
      'Builds the index of transcripts from the archive, from nothing; the last one answers meanwhile.',
    capability: 'admin.index',
    query: {},
    body: t.type({}, 'Nothing'),
    answerWithinMs: 600_000,
    answers: { 200: IndexRebuilt },
    refusals: ['Overloaded'],
    source: 'B 4.5',
    example: { body: {} },
  }),
} as const satisfies Table

const shortFields = {
  Index: 'Place of the line in its transcript, from 0.',
  Time: 'Time as written, `HH:MM` or `HH:MM:SS`; null where the line has none.',
  Channel: 'Channel of the game; null where the line names none.',
  Segment: 'Place in `LocationSegments`; null before the first.',
  Speaker: 'Speaker as written.',
  SpeakerResolved: 'Heading of the block that the speaker means; null where it means none or several.',
  Text: 'Words of the line.',
  Dice: 'Roll of dice as written; null where there is none.',
} as const

const lineFields = {
  ...shortFields,
  Day: 'Number of midnights since the first line.',
  Kind: '`say`, `act`, `note` of the game, `place` heading, or `unread`: kept as it is.',
  SpeakerStage:
    'Stage of the names that resolved the speaker, `miss` where none did; null without a speaker.',
  Start: 'First byte of the line in the archived text.',
  End: 'Byte behind its last.',
} as const

/** Descriptions of a page. */
export const pageFields = {
  count: 'Number of items on this page.',
  total: 'Number of items in all.',
  limit: 'Largest number of items on a page.',
  offset: 'Number of items before this page.',
} as const

/** Descriptions of a line with where it was found. */
export const foundLineFields = {
  ...lineFields,
  Log: 'Name of the transcript.',
  Header: 'Earliest session that cites the transcript; null where none does.',
  Date: 'Day of that session.',
  Place: 'Heading of the place; null before the first.',
} as const

export const logDescriptions: Descriptions = {
  LogLine: lineFields,
  ShortLogLine: shortFields,
  MentioningLogLine: { ...shortFields, Mentions: 'Names in the text of the line.' },
  FoundLogLine: foundLineFields,
  FoundLogLines: { ...pageFields, items: 'Lines by day, transcript and place in it; undated ones last.' },
  LineMention: {
    start: 'First UTF-16 unit in the text of the line.',
    end: 'Unit behind the last.',
    text: 'Name as it stands in the line.',
    lemma: 'Heading of the block that it means; null for a proper noun that no block answers to.',
    kind: 'Type of that block; null where there is none.',
    capitalised: 'Whether it begins with a capital letter.',
  },
  LocationSegment: {
    Place: 'Heading as written.',
    First: 'Index of its first line.',
    Last: 'Index of its last line.',
  },
  ParsedLog: {
    Name: 'Name of the transcript in the archive.',
    Url: 'Address that it was taken from.',
    Format: 'Format that read it; `unparsed` where its sidecar cannot be read.',
    Parser: 'Version of the parser.',
    Sha256: 'Of the archived text.',
    LineCount: 'Number of lines, also of those that the answer leaves out.',
    Unread: 'Number of lines that no format could read.',
    Header: 'Earliest session that cites it.',
    Title: 'Title of that session.',
    Date: 'Day of that session.',
    Sessions: 'Headers of all sessions that cite it.',
    LocationSegments: 'Stretches in one place.',
    Lines: 'Lines; those that name restricted topics only for callers who may read them.',
  },
  LogStatus: {
    Url: 'Address that sessions cite; null for an archived transcript that none does.',
    Name: 'Name of the transcript in the archive.',
    State: '`Archived`; `Missing`: not taken yet; `Failed` or `Refused`: what came of the last attempt.',
    Reason: 'Why it failed or was refused; null otherwise.',
    UpstreamStatus: 'HTTP status of the last attempt; null where there was no answer.',
    Attempts: 'Number of failed attempts in a row.',
    At: 'Time of the last failed attempt, ISO 8601 in UTC; null otherwise.',
    Sessions: 'Headers of the sessions that cite it.',
  },
  ArchiveStatus: {
    ...pageFields,
    items: 'Transcripts in the order of their sessions.',
    Archived: 'Number of archived transcripts.',
    Missing: 'Number of transcripts that were not taken yet.',
    Failed: 'Number of transcripts whose last attempt failed.',
    Refused: 'Number of transcripts whose content was refused.',
    Index: 'What the index of transcripts has; null while there is none.',
  },
  TranscriptIndexReading: {
    Stamp: 'State of the archive that it holds.',
    Logs: 'Number of transcripts.',
    Lines: 'Number of lines.',
  },
  LogSpeaker: {
    Speaker: 'Speaker as written.',
    SpeakerResolved: 'Heading of the block that it means; null where it means none or several.',
    SpeakerStage: 'Stage of the names that resolved it; `binding`: a person ruled; `miss`: none did.',
    Logs: 'Number of transcripts.',
    Lines: 'Number of lines.',
    Words: 'Number of words.',
    First: 'Day of the first dated transcript.',
    Last: 'Day of the last one.',
  },
  LogSpeakers: { ...pageFields, items: 'Speakers, the most lines first.' },
  IndexedMention: {
    Index: 'Index of the line.',
    start: 'First UTF-16 unit in the text of the line.',
    end: 'Unit behind the last.',
    text: 'Name as it stands in the line.',
    lemma: 'Heading of the block that it means; null for a proper noun that no block answers to.',
    kind: 'Type of that block; null where there is none.',
    capitalised: 'Whether it begins with a capital letter.',
  },
  LogMentions: { count: 'Number of names.', items: 'Names in the order of the lines.' },
  LogRun: {
    Speaker: 'Speaker as written.',
    SpeakerResolved: 'Heading of the block that the speaker means; null where it means none or several.',
    SpeakerStage:
      'Stage of the names that resolved the speaker; `binding`: a person ruled; `miss`: none did.',
    Channel: 'Channel of the lines.',
    Segment: 'Place in `LocationSegments`.',
    First: 'Index of the first line.',
    Last: 'Index of the last line.',
    Lines: 'Number of lines.',
    From: 'Time of the first line.',
    To: 'Time of the last line.',
    Text: 'Texts of the lines, a line each.',
  },
  LogRuns: { count: 'Number of turns.', items: 'Turns in the order of the lines.' },
  SessionLog: {
    Url: 'Address as the session cites it.',
    Name: 'Name of the transcript in the archive.',
    State: 'What became of it on this host.',
    Parsed: 'Parts that `include` names, or all; null where it is not archived, or without `log.read`.',
  },
  SessionLogs: {
    Header: 'Header of the session.',
    count: 'Number of transcripts.',
    items: 'Transcripts in the order of the session.',
  },
  TranscriptIndexRebuilt: {
    rebuilt: 'Whether a new index was built; false for a dry run.',
    Index: 'What the index has.',
  },
}
