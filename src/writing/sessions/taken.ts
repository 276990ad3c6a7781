import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { sessionKey } from '#src/domain/lore/session-header.js'
import { foldCase } from '#src/domain/sessions/closing/closed-sessions.js'
import type { Session, Sessions } from '#src/domain/sessions/session.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { quoteLine } from '../answers/quoted-lore.js'
import { stagedSessions } from './lines/staged.js'

/** Histories compare headers without case (FORMATS 6.3), so headers that differ only in case are one. */
const byFolded = perValue(
  (sessions: Sessions): ReadonlyMap<string, Session> =>
    new Map(sessions.all.map(session => [foldCase(session.key), session])),
)

/**
 * Refuses with 409 a header that a session or a staged draft already has, in any case. Only a reader of that
 * session learns its file and how its header is written.
 */
export const freeHeader = (snapshot: Snapshot, header: string): Either<RefusalOf<'NameTaken'>, string> => {
  const key = sessionKey(header)
  const known =
    byFolded(snapshot.sessions).get(foldCase(key)) ??
    stagedSessions(snapshot).find(({ session }) => foldCase(session.key) === foldCase(key))?.session
  return known === undefined
    ? right(key)
    : left(
        quoteLine(
          refuse(
            'NameTaken',
            `"${known.header}" is already in ${known.path}. PATCH /sessions/{header} edits it.`,
            { name: known.header, type: 'Sesja' },
          ),
          refuse('NameTaken', `"${header}" is already a session. PATCH /sessions/{header} edits it.`, {
            name: header,
            type: 'Sesja',
          }),
          { file: known.path, line: known.copies[0]?.line ?? 1 },
        ),
      )
}
