import * as t from 'io-ts'
import { RepoPath } from '#protocol/atoms/path.js'
import { previewOf } from '#protocol/dry-run.js'
import { SessionMetadata, UnresolvedName } from './session-body.js'

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
export const SessionUpdate = t.union(
  [SessionUpdated, previewOf({ wouldUpdate: t.string, ...said }, 'SessionWouldUpdate')],
  'SessionUpdate',
)
