import * as t from 'io-ts'
import { RepoPath } from '#protocol/atoms/path.js'
import { previewOf } from '#protocol/dry-run.js'

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
      why: t.keyof({ unknown: null, ambiguous: null }),
      suggestions: t.readonlyArray(t.string),
    }),
    /** How many blocks the name may mean beyond those in `suggestions`; absent when all are listed. */
    t.partial({ more: t.number }),
  ],
  'UnresolvedName',
)
export type UnresolvedName = t.TypeOf<typeof UnresolvedName>

/** The place where a session was written. */
const placed = {
  file: RepoPath,
  /** Null where the caller may read no line of the file. */
  line: t.union([t.number, t.null]),
  staged: t.boolean,
  /** Names that were stored although the index does not resolve them. */
  unresolved: t.readonlyArray(UnresolvedName),
} as const

export const SessionCreated = t.type({ created: t.string, ...placed }, 'SessionCreated')
export type SessionCreated = t.TypeOf<typeof SessionCreated>
export const SessionOpened = t.type({ opened: t.string, ...placed }, 'SessionOpened')
export type SessionOpened = t.TypeOf<typeof SessionOpened>
export const SessionReported = t.type({ reported: t.string, ...placed }, 'SessionReported')
export type SessionReported = t.TypeOf<typeof SessionReported>
export const SessionWouldCreate = previewOf({ wouldCreate: t.string, ...placed }, 'SessionWouldCreate')
export const SessionWouldOpen = previewOf({ wouldOpen: t.string, ...placed }, 'SessionWouldOpen')
export const SessionWouldReport = previewOf({ wouldReport: t.string, ...placed }, 'SessionWouldReport')

/** The place of a session in a plan. */
export type PlacedSession = t.TypeOfProps<typeof placed>
