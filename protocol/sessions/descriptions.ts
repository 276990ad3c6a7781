import type { Descriptions } from '../description.js'

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
  LogsUrl: 'Address of the transcripts in the archive of this host; null when the host has no archive.',
  Locations: 'Places of the session, as written in `@Lokacje`.',
  PU: 'PU that the session gives, by character.',
  Participants: 'Characters listed as taking part.',
  Files: 'Paths of the files that have a copy of the session.',
} as const

const row = {
  ...saidText,
  Description: 'Prose of the session, as Markdown.',
  LogStates: 'State of each transcript in the archive of this host; null when the host has no archive.',
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
  LogState: { Url: 'Address of the transcript.', State: 'What the archive of this host has of it.' },
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
