import type { IncomingMessage } from 'node:http'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms.js'
import type { RefusalOf } from '#protocol/refusal.js'
import { isFromCommit, type Route } from '#protocol/route.js'
import { indexedCommitsOf } from '#src/domain/search/texts/pdf-documents.js'
import type { SearchPorts } from '#src/ports/host.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { type ContainsCommit, commitNotHere, hasWanted } from '#src/writing/command.js'

/**
 * The commit that a request asks for with `X-Svc-Min-Commit`; null where it names none or the row ignores the
 * header (A 4.1.9). The value must be a full commit id: a snapshot has no other kind, so any other value is
 * refused (D27).
 */
export const wantedCommitOf = (
  row: Route,
  { headers }: Pick<IncomingMessage, 'headers'>,
): Either<RefusalOf<'CommitNotHere'>, CommitId | null> => {
  const wanted = headers['x-svc-min-commit']
  if (wanted === undefined || !isFromCommit(row)) return any
  const id = CommitId.decode(wanted)
  return isLeft(id) ? left(commitNotHere()) : id
}

/** Whether the snapshot has the commit that a request asks for and, for a row of search, the indexes have it. */
export const hasWantedCommit = async (
  containsCommit: ContainsCommit,
  search: Pick<SearchPorts, 'asker'>,
  row: Route,
  wants: CommitId,
  snapshot: Snapshot,
): Promise<boolean> => {
  if (!(await hasWanted(containsCommit, wants, snapshot))) return false
  if (row.indexed !== true) return true
  for (const commit of indexedCommitsOf(search.asker.states()))
    if (commit === null || !(await hasWanted(containsCommit, wants, { ...snapshot, commit }))) return false
  return true
}

const any: Either<never, null> = right(null)
