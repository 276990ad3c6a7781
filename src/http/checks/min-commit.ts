import type { IncomingMessage } from 'node:http'
import { isLeft } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms/commit.js'
import { isFromCommit, type Route } from '#protocol/route.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { HasCommit } from '#src/writing/write-plan.js'
import type { FrontDeps } from '../routing/deps.js'

const nowhere: HasCommit = () => Promise.resolve(false)

/**
 * Whether a snapshot has the commit that the request wants by `X-Svc-Min-Commit`; null where it wants none, or the row
 * does not look (A 4.1.9). The value is a full commit id: no snapshot has any other (D27). Where git cannot tell, a
 * snapshot counts as one without the commit.
 */
export const minCommitOf = (
  { containsCommit }: Pick<FrontDeps, 'containsCommit'>,
  row: Route,
  { headers }: Pick<IncomingMessage, 'headers'>,
): HasCommit | null => {
  const wanted = headers['x-svc-min-commit']
  if (wanted === undefined || !isFromCommit(row)) return null
  const id = CommitId.decode(wanted)
  if (isLeft(id)) return nowhere
  return async (snapshot: Snapshot) =>
    snapshot.commit === id.right || (await containsCommit(id.right, snapshot).catch(() => false))
}
