import type { IncomingMessage } from 'node:http'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms/commit.js'
import type { RefusalOf } from '#protocol/refusal.js'
import { isFromCommit, type Route } from '#protocol/route.js'
import { commitNotHere } from '#src/writing/wanted-commit.js'

const any: Either<never, null> = right(null)

/**
 * The commit that a request wants by `X-Svc-Min-Commit`; null where it wants none, or the row does not look (A 4.1.9).
 * The value is a full commit id: no snapshot has any other, so any other is refused (D27).
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
