import * as t from 'io-ts'
import { Day } from '#protocol/atoms/day.js'
import { Generation } from '#protocol/atoms/vocabulary.js'

const TextOrNull = t.union([t.string, t.null])
const DayOrNull = t.union([Day, t.null])
const texts = t.readonlyArray(t.string)

/** PU in a session; null when the line has no number. */
export const SessionPu = t.type({ Character: t.string, Value: t.union([t.number, t.null]) }, 'SessionPu')

/** What the archive of this host has of a transcript. */
export const LogState = t.type({ Url: t.string, State: t.string }, 'LogState')

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

/** `LogStates` is null when this host has no archive. */
const weighty = {
  Description: t.string,
  LogStates: t.union([t.readonlyArray(LogState), t.null]),
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
export const NarrowedSummary = t.intersection([header, t.partial(said)], 'NarrowedSummary')

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
