import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms.js'
import type { HashAnswer, RebaselineAnswer } from '#protocol/lore/sessions.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { View } from '#src/domain/callers/caller.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import type { FileEdit } from '#src/domain/lore/file-edit.js'
import { appendLines, type SourceFile } from '#src/domain/lore/layout.js'
import { sessionKey } from '#src/domain/lore/session-header.js'
import { type HashLine, hashesPath, hashOfCopy, parseHashes } from '#src/domain/sessions/hashes.js'
import type { Session } from '#src/domain/sessions/session.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/** The person who accepts a text, and when. */
export interface Acceptance {
  readonly by: string
  readonly nowMs: number
}

/**
 * SHA-256 of the primary copy of a session; null when its file is not in `files`
 * (docs/spec/sessions.md#baselines).
 */
export const hashOfSession = (session: Session, files: Files): string | null => {
  const [primary] = session.copies
  const file = primary === undefined ? undefined : files.get(primary.path)
  return primary === undefined || file === undefined ? null : hashOfCopy(primary)(file)
}

/** The line of the hash store for one accepted text. */
export const hashLine = (header: string, sha256: string, { by, nowMs }: Acceptance): HashLine => ({
  header,
  sha256,
  at: instantOf(nowMs),
  by,
})

/** The edit that appends lines to the hash store, or creates the file; no edit when there are no lines. */
export const appendHashes = (files: Files, lines: ReadonlyArray<HashLine>): ReadonlyArray<FileEdit> =>
  lines.length === 0
    ? []
    : [
        appendLines(
          files.get(hashesPath) ?? null,
          hashesPath,
          lines.map(line => JSON.stringify(line)),
        ),
      ]

/**
 * The change that accepts the present text of every session as its baseline (B 3). Only a session whose hash
 * differs from its stored one, or has none, gets a line. Sessions whose file is not in the snapshot are
 * skipped and not counted.
 */
export const acceptAllBaselines = (snapshot: Snapshot, acceptance: Acceptance): ChangeSet<HashAnswer> => {
  const all = judgeSessions(snapshot, snapshot.sessions.all)
  const news = all.filter(isChanged)
  const added = news.filter(one => one.before === null).length
  const counts = { added, changed: news.length - added, unchanged: all.length - news.length }
  return {
    edits: appendHashes(
      snapshot.files,
      news.map(one => hashLine(one.session.header, one.sha256, acceptance)),
    ),
    claims: [claimOfStore],
    touches: [{ kind: 'ledger', name: hashesPath }],
    subject: `sessions: the text of ${news.length} sessions is accepted`,
    answer: { hashed: news.length, ...counts },
    preview: { wouldHash: news.length, ...counts },
  }
}

/** The refusal of an unknown header, with those that differ from it in case or blanks alone. */
export const sessionNotFound = (
  { sessions }: Pick<Snapshot, 'sessions'>,
  header: string,
): RefusalOf<'SessionNotFound'> => {
  const spelling = (one: string): string => sessionKey(one).toLowerCase().replace(/\s/gu, '')
  const asked = spelling(header)
  return refuse(
    'SessionNotFound',
    `No session has the header "${header}". GET /sessions?fields=Header lists them.`,
    {
      nearest: sessions.all.flatMap(one => (spelling(one.header) === asked ? [one.header] : [])).slice(0, 5),
    },
  )
}

/**
 * The change that accepts the present text of one session as its baseline (B 3); without edits when it is
 * accepted already. `SessionNotFound` also when the file of the session is not in the snapshot. `sha256` is
 * null unless the caller may read restricted topics, because the hash covers them.
 */
export const acceptBaseline = (
  snapshot: Snapshot,
  header: string,
  acceptance: Acceptance,
  view: View,
): Either<RefusalOf<'SessionNotFound'>, ChangeSet<RebaselineAnswer>> => {
  const session = snapshot.sessions.byKey.get(sessionKey(header))
  const [one] = session === undefined ? [] : judgeSessions(snapshot, [session])
  if (session === undefined || one === undefined) return left(sessionNotFound(snapshot, header))
  const changed = isChanged(one)
  const lines = changed ? [hashLine(session.header, one.sha256, acceptance)] : []
  const sha256 = view.mayReadRestricted ? one.sha256 : null
  return right({
    edits: appendHashes(snapshot.files, lines),
    claims: [claimOfStore, `session:${session.key}`],
    touches: [{ kind: 'ledger', name: hashesPath }],
    subject: `sessions: the text of "${session.header}" is accepted`,
    answer: { rebaselined: session.header, sha256, changed },
    preview: { wouldRebaseline: session.header, sha256, changed },
  })
}

const claimOfStore = `slot:${hashesPath}`

type Files = ReadonlyMap<string, SourceFile>

interface Judged {
  readonly session: Session
  readonly sha256: string
  readonly before: string | null
}

const judgeSessions = ({ files }: Snapshot, sessions: ReadonlyArray<Session>): ReadonlyArray<Judged> => {
  const { of } = parseHashes(files.get(hashesPath) ?? null)
  return sessions.flatMap(session => {
    const sha256 = hashOfSession(session, files)
    return sha256 === null ? [] : [{ session, sha256, before: of(session)?.sha256 ?? null }]
  })
}

const isChanged = ({ before, sha256 }: Judged): boolean => before !== sha256
