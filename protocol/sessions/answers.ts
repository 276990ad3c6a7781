import * as t from 'io-ts'
import { Day } from '#protocol/atoms/day.js'
import { IntegrityFinding } from '#protocol/finding.js'
import { listOf } from '#protocol/list.js'
import { NarrowedRow, NarrowedSummary, SessionSummary } from './session.js'

const texts = t.readonlyArray(t.string)
const TextOrNull = t.union([t.string, t.null])

export const SessionList = listOf(NarrowedRow, 'SessionList')
export const SessionSummaryList = listOf(NarrowedSummary, 'SessionSummaryList')
export const SessionIntegrity = listOf(IntegrityFinding, 'SessionIntegrity')

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
export const DivergenceList = listOf(Divergence, 'DivergenceList')

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
export const OpenSessions = t.intersection(
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
export const SessionBatch = t.type(
  { count: t.number, items: t.readonlyArray(NarrowedRow), missing: texts },
  'SessionBatch',
)

export const CompareBody = t.type({ headers: texts }, 'SessionCompareBody')

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
export const StagedSessions = listOf(
  t.intersection([SessionSummary, t.type({ Target: TextOrNull })], 'StagedSession'),
  'StagedSessions',
)
