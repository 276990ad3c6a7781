import * as t from 'io-ts'
import { RepoPath } from '../atoms.js'
import { sessionBody } from '../bounds.js'
import type { Descriptions } from '../description.js'
import { previewOf } from '../dry-run.js'
import { JobEnvelope } from '../host/jobs.js'
import { Flag } from '../query.js'
import { ofHost, route, type Table, write } from '../route.js'
import { GraphRebuilt, HashAnswer, RebaselineAnswer, RegistryAnswer } from './sessions.js'

/** Absent and null keep or leave out; an empty list removes; anything else replaces in full (FORMATS 4.9). */
const list = <C extends t.Mixed>(item: C) => t.union([t.readonlyArray(item), t.null])

/**
 * The blocks of a session in a request, at most 500 items together. `value` is PU, null when it is not
 * settled yet.
 */
export const SessionMetadata = t.partial(
  {
    locations: list(t.string),
    logs: list(t.string),
    pu: list(t.type({ character: t.string, value: t.union([t.number, t.null]) })),
    participants: list(t.string),
    changes: list(
      t.type({ entity: t.string, tags: t.readonlyArray(t.type({ tag: t.string, value: t.string })) }),
    ),
    transfers: list(
      t.type({ amount: t.number, denomination: t.string, source: t.string, destination: t.string }),
    ),
    intel: list(t.type({ target: t.string, message: t.string })),
    preserved: list(t.type({ name: t.string, items: t.readonlyArray(t.string) })),
  },
  'SessionMetadata',
)
export type SessionMetadata = t.TypeOf<typeof SessionMetadata>

const TextOrNull = t.union([t.string, t.null])

const optional = { dateEnd: TextOrNull, content: TextOrNull, metadata: SessionMetadata } as const

/**
 * A new session (D32). `file` is optional when sessions are staged. At most 20 narrators, and prose of at
 * most 200,000 characters and 10,000 lines.
 */
export const SessionCreate = t.intersection(
  [
    t.type({ date: t.string, title: t.string, narrators: t.readonlyArray(t.string) }),
    t.partial({ file: t.string, ...optional }),
  ],
  'SessionCreate',
)
export type SessionCreate = t.TypeOf<typeof SessionCreate>

/** A session about to be played: `date` defaults to today and `narrators` to the caller. */
export const SessionOpen = t.intersection(
  [
    t.type({ title: t.string }),
    t.partial({ date: t.string, narrators: t.readonlyArray(t.string), file: t.string, ...optional }),
  ],
  'SessionOpen',
)
export type SessionOpen = t.TypeOf<typeof SessionOpen>

/** A player's report of a session; the daemon chooses the file. */
export const SessionReport = t.intersection(
  [t.type({ date: t.string, title: t.string, narrators: t.readonlyArray(t.string) }), t.partial(optional)],
  'SessionReport',
)
export type SessionReport = t.TypeOf<typeof SessionReport>

/** A name in the request that means no block or several; `field` is its path in the body. */
export const UnresolvedName = t.intersection(
  [
    t.type({
      field: t.string,
      name: t.string,
      why: t.keyof({ unknown: null, ambiguous: null, purse: null, refused: null }),
      suggestions: t.readonlyArray(t.string),
    }),
    /** How many blocks the name may mean beyond those in `suggestions`; absent when all are listed. */
    t.partial({ more: t.number }),
  ],
  'UnresolvedName',
)
export type UnresolvedName = t.TypeOf<typeof UnresolvedName>

/** The place where a session was written. */
export const PlacedSession = {
  file: RepoPath,
  /** Null where the caller may read no line of the file. */
  line: t.union([t.number, t.null]),
  staged: t.boolean,
  /** Names that were stored although the index does not resolve them. */
  unresolved: t.readonlyArray(UnresolvedName),
} as const

export const SessionCreated = t.type({ created: t.string, ...PlacedSession }, 'SessionCreated')
export type SessionCreated = t.TypeOf<typeof SessionCreated>
export const SessionOpened = t.type({ opened: t.string, ...PlacedSession }, 'SessionOpened')
export type SessionOpened = t.TypeOf<typeof SessionOpened>
export const SessionReported = t.type({ reported: t.string, ...PlacedSession }, 'SessionReported')
export type SessionReported = t.TypeOf<typeof SessionReported>
const SessionWouldCreate = previewOf({ wouldCreate: t.string, ...PlacedSession }, 'SessionWouldCreate')
const SessionWouldOpen = previewOf({ wouldOpen: t.string, ...PlacedSession }, 'SessionWouldOpen')
const SessionWouldReport = previewOf({ wouldReport: t.string, ...PlacedSession }, 'SessionWouldReport')

/** The place of a session in a plan. */
export type PlacedSession = t.TypeOfProps<typeof PlacedSession>

/**
 * The parts of a session to replace (FORMATS 4.9): absent and null keep, an empty text or list removes,
 * anything else replaces in full. `upgrade` instead converts every block to the form of generation 4, in a
 * request of its own. The parts of the header are listed only to be refused.
 */
export const SessionPatch = t.partial(
  {
    content: t.union([t.string, t.null]),
    metadata: SessionMetadata,
    upgrade: t.boolean,
    date: t.unknown,
    dateEnd: t.unknown,
    title: t.unknown,
    narrators: t.unknown,
    file: t.unknown,
  },
  'SessionPatch',
)
export type SessionPatch = t.TypeOf<typeof SessionPatch>

const said = {
  changed: t.boolean,
  files: t.readonlyArray(RepoPath),
  unresolved: t.readonlyArray(UnresolvedName),
} as const

const SessionUpdated = t.type({ updated: t.string, ...said }, 'SessionUpdated')
export type SessionUpdated = t.TypeOf<typeof SessionUpdated>

/** `changed` is false when everything was already as requested and no commit was made. */
const SessionUpdate = t.union(
  [SessionUpdated, previewOf({ wouldUpdate: t.string, ...said }, 'SessionWouldUpdate')],
  'SessionUpdate',
)

const Nothing = t.type({}, 'Nothing')

/** Columns that all writes of sessions share. */
const ofSessions = {
  capability: 'session.write',
  own: false,
  query: {},
  source: 'B 4.2',
} as const

/** Writes of sessions (B 4.2). Literal rows must come before `{header}`. */
export const sessionWriteRoutes = {
  'sessions.graph.rebuild': route({
    ...ofHost,
    ...ofSessions,
    method: 'POST',
    path: '/sessions/graph',
    summary: 'Rebuilds the graph of who played together; commits nothing.',
    // No write flag (A 4.1.3), because the graph is derived.
    poolReason: 'memoizes',
    body: Nothing,
    answers: { 200: GraphRebuilt },
    refusals: [],
    source: 'A 4.1.3, B 4.2',
    example: { body: {} },
  }),
  'sessions.hash': write({
    ...ofSessions,
    method: 'POST',
    path: '/sessions/hash',
    summary: 'Accepts the current text of every session, so that none counts as drifted.',
    body: Nothing,
    answers: { 200: HashAnswer },
    refusals: [],
    source: 'B 3, B 4.2',
    example: { body: {} },
  }),
  'sessions.rebaseline': write({
    ...ofSessions,
    method: 'POST',
    path: '/sessions/{header}/rebaseline',
    summary: 'Accepts the current text of one session.',
    body: Nothing,
    answers: { 200: RebaselineAnswer },
    refusals: ['SessionNotFound'],
    source: 'B 3, B 4.2',
    example: { path: { header: '2026-05-20, Wieża/Latarnia, Brzoza' }, body: {} },
  }),
  'sessions.create': write({
    ...ofSessions,
    method: 'POST',
    path: '/sessions',
    summary:
      'Writes a session at its place in time in the file named, or as a draft where sessions are staged.',
    body: SessionCreate,
    bounds: sessionBody,
    answers: { 200: SessionWouldCreate, 201: SessionCreated },
    refusals: ['BoundExceeded', 'ValueRefused', 'TagUnknown', 'NameUnresolved', 'NameTaken'],
    example: {
      body: {
        file: 'sesje/2026.md',
        date: '2026-05-15',
        title: 'Brama',
        narrators: ['Brzoza'],
        content: 'Wit Kłos otworzył bramę.',
        metadata: { pu: [{ character: 'Wit Kłos', value: 0.5 }] },
      },
    },
  }),
  'sessions.update': write({
    ...ofSessions,
    method: 'PATCH',
    path: '/sessions/{header}',
    summary:
      'Replaces prose or blocks of a session or a staged draft in place, or upgrades its blocks; other lines stand.',
    body: SessionPatch,
    bounds: sessionBody,
    answers: { 200: SessionUpdate },
    refusals: [
      'Forbidden',
      'SessionNotFound',
      'BoundExceeded',
      'ValueRefused',
      'TagUnknown',
      'NameUnresolved',
    ],
    example: {
      path: { header: '2026-05-10, Most na Zamorzu, Brzoza' },
      body: { metadata: { pu: [{ character: 'Iskra', value: 1 }] } },
    },
  }),
  'sessions.report': write({
    ...ofSessions,
    method: 'POST',
    path: '/sessions/report',
    summary: 'Files what a player tells of a session below `zgłoszenia/`; it is never a session.',
    capability: 'session.report',
    body: SessionReport,
    bounds: sessionBody,
    answers: { 200: SessionWouldReport, 201: SessionReported },
    refusals: ['BoundExceeded', 'ValueRefused', 'TagUnknown', 'NameUnresolved', 'NameTaken'],
    example: {
      body: { date: '2026-05-15', title: 'Brama', narrators: ['Brzoza'], content: 'Byłem przy bramie.' },
    },
  }),
  'workflows.openSession': write({
    ...ofSessions,
    method: 'POST',
    path: '/workflows/open-session',
    summary:
      'Writes the header of a session about to be played, today and by the caller where not said otherwise.',
    body: SessionOpen,
    bounds: sessionBody,
    answers: { 200: SessionWouldOpen, 201: SessionOpened },
    refusals: ['BoundExceeded', 'ValueRefused', 'TagUnknown', 'NameUnresolved', 'NameTaken'],
    example: { body: { file: 'sesje/2026.md', title: 'Brama', narrators: ['Brzoza'] } },
  }),
  'sessionRegistry.regenerate': write({
    ...ofSessions,
    method: 'POST',
    path: '/session-registry/regenerate',
    summary:
      'Rebuilds the registry of sessions by place and removes files that no place needs; `async=true` makes it a job.',
    capability: 'session-registry.regenerate',
    query: { async: Flag },
    body: Nothing,
    answers: { 200: RegistryAnswer, 202: JobEnvelope },
    refusals: [],
    source: 'B 2.2, B 4.2',
    example: { query: { async: 'false' }, body: {} },
  }),
} as const satisfies Table

const optionalText = {
  dateEnd: 'Last day of a session of several days, `YYYY-MM-DD`; null or absent for one day.',
  content: 'Prose of the session, as Markdown; null or absent for none.',
  metadata: 'Blocks of the session.',
} as const

const wanted = {
  date: 'Day of the session in the fiction, `YYYY-MM-DD`.',
  title: 'Title of the session, one line.',
  narrators: 'Names of the narrators, from 1 to 20.',
  ...optionalText,
} as const

const targetFile = 'Path of the session file to write to; not needed where sessions are staged.'

export const placedText = {
  file: 'Path of the file that has the session.',
  line: 'Line of the heading, counted from 1.',
  staged: 'True when the session is a draft that waits in the staging area.',
  unresolved: 'Names that were written although they match no block or several.',
} as const

const updated = {
  files: 'Paths of the files with a copy of the session that the write changes.',
  unresolved: 'Names that were written although they match no block or several.',
} as const

const hashed = {
  added: 'Sessions that had no baseline.',
  changed: 'Sessions whose text differed from their baseline.',
  unchanged: 'Sessions whose text equals their baseline.',
} as const

const fixedPart = 'Not changeable by this route; a request that has it is refused.'

export const sessionWriteDescriptions: Descriptions = {
  SessionMetadata: {
    locations: 'Places; a list replaces, an empty list removes, null or absent keeps.',
    logs: 'Addresses of transcripts; replaced as a whole.',
    pu: 'PU by character; replaced as a whole.',
    participants: 'Characters who take part; replaced as a whole.',
    changes: 'Changes of blocks; replaced as a whole.',
    transfers: 'Transfers of money; replaced as a whole.',
    intel: 'Messages to deliver at the close; replaced as a whole.',
    preserved: 'Other blocks, kept as they are; replaced as a whole.',
  },
  'SessionMetadata.pu': {
    character: 'Name of the character.',
    value: 'PU, in points with decimals; null while it is not settled.',
  },
  'SessionMetadata.changes': { entity: 'Name of the block that changes.', tags: 'Values that it gets.' },
  'SessionMetadata.changes.tags': { tag: 'Tag, with or without the at sign.', value: 'New value.' },
  'SessionMetadata.transfers': {
    amount: 'Amount of money, in coins of the denomination.',
    denomination: 'Name of the coin.',
    source: 'Name of who pays.',
    destination: 'Name of who receives.',
  },
  'SessionMetadata.intel': {
    target: 'Addressee: names, or a group or place with its prefix.',
    message: 'Text of the message.',
  },
  'SessionMetadata.preserved': { name: 'Name of the block.', items: 'Its rows, one text each.' },
  SessionCreate: { ...wanted, file: targetFile },
  SessionOpen: {
    ...wanted,
    date: 'Day of the session in the fiction, `YYYY-MM-DD`; today without it.',
    narrators: 'Names of the narrators, from 1 to 20; the caller without it.',
    file: targetFile,
  },
  SessionReport: wanted,
  UnresolvedName: {
    field: 'Place of the name in the request body.',
    name: 'The name as it was sent.',
    why: 'No block (`unknown`) or several (`ambiguous`), no purse (`purse`), or no possible effect (`refused`).',
    suggestions: 'Names that may be meant, best first.',
    more: 'Number of further matches that are not listed; absent when all are.',
  },
  SessionCreated: { created: 'Heading of the new session.', ...placedText },
  SessionOpened: { opened: 'Heading of the opened session.', ...placedText },
  SessionReported: { reported: 'Heading of the reported session.', ...placedText },
  SessionWouldCreate: { wouldCreate: 'Heading that the new session would have.', ...placedText },
  SessionWouldOpen: { wouldOpen: 'Heading that the opened session would have.', ...placedText },
  SessionWouldReport: { wouldReport: 'Heading that the reported session would have.', ...placedText },
  SessionPatch: {
    content: 'New prose; an empty text removes it, null or absent keeps it.',
    metadata: 'Blocks to replace.',
    upgrade: 'True rewrites every block in the current form; sent without other fields.',
    date: fixedPart,
    dateEnd: fixedPart,
    title: fixedPart,
    narrators: fixedPart,
    file: fixedPart,
  },
  SessionUpdated: { updated: 'Heading of the session.', ...updated },
  SessionWouldUpdate: { wouldUpdate: 'Heading of the session that would change.', ...updated },
  SessionHashAnswer: {
    hashed: 'Number of baselines that were written.',
    wouldHash: 'Number of baselines that would be written.',
    ...hashed,
  },
  RebaselineAnswer: {
    rebaselined: 'Heading of the session whose baseline was written.',
    wouldRebaseline: 'Heading of the session whose baseline would be written.',
    sha256: 'SHA-256 of the session text, hexadecimal; null without the right to read restricted topics.',
    changed: 'False when the baseline was of this text already.',
  },
  SessionGraphRebuilt: {
    rebuiltAt: 'When the graph was built, ISO 8601 in UTC.',
    NodeCount: 'Number of characters in the graph.',
    EdgeCount: 'Number of pairs who played together.',
  },
  RegistryAnswer: {
    Applied: 'True when the files were written; false for a dry run.',
    Roots: 'Number of outermost places.',
    Writes: 'Number of registry files by the result: with sessions, empty or unchanged.',
    Deletes: 'Paths of generated files that no place needs any more.',
    Holdouts: 'Paths of files that a person wrote and that are left as they are.',
    Placement: 'Number of sessions by how they could be placed.',
  },
  'RegistryAnswer.Writes': {
    Populated: 'Files with sessions.',
    Empty: 'Files without sessions.',
    Unchanged: 'Files that already have this content.',
  },
  'RegistryAnswer.Placement': {
    Placed: 'Sessions in the registry of a place.',
    RegisteredUnplaced: 'Sessions whose places have no registry.',
    NoLocation: 'Sessions that name no place.',
    Total: 'All sessions.',
  },
}
