import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { ledgerKey, ledgerKeyOf, sessionKey } from '#src/domain/lore/session-header.js'
import { sessionsByLedgerKey } from '#src/domain/sessions/closed-sessions.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { quoteLine } from '../answers/quoted-lore.js'
import { stagedSessions } from './lines/staged.js'

/**
 * Refuses with 409 a header that a session or a staged draft already has, in any case. Only a reader of that
 * session learns its file and how its header is written.
 */
export const freeHeader = (snapshot: Snapshot, header: string): Either<RefusalOf<'NameTaken'>, string> => {
  const key = ledgerKey(header)
  const known =
    sessionsByLedgerKey(snapshot.sessions).get(key) ??
    stagedSessions(snapshot).find(({ session }) => ledgerKeyOf(session) === key)?.session
  return known === undefined
    ? right(sessionKey(header))
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
