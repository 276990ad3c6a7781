import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { foldCase } from '#src/domain/sessions/closing/closed-sessions.js'
import type { Session, Sessions } from '#src/domain/sessions/session.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { stagedSessions } from './lines/staged.js'

/** Histories compare headers without case (FORMATS 6.3), so headers that differ only in case are one. */
const byFolded = perValue(
  (sessions: Sessions): ReadonlyMap<string, Session> =>
    new Map(sessions.all.map(session => [foldCase(session.key), session])),
)

/** Refuses with 409 a header that a session or a staged draft already has, in any case. */
export const freeHeader = (snapshot: Snapshot, key: string): Either<RefusalOf<'NameTaken'>, string> => {
  const known =
    byFolded(snapshot.sessions).get(foldCase(key)) ??
    stagedSessions(snapshot).find(({ session }) => foldCase(session.key) === foldCase(key))?.session
  return known === undefined
    ? right(key)
    : left(
        refuse(
          'NameTaken',
          `"${known.header}" is already in ${known.path}. PATCH /sessions/{header} edits it.`,
          {
            name: known.header,
            type: 'Sesja',
          },
        ),
      )
}
