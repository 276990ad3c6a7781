import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms/commit.js'
import { auditLinesOfWrite } from '#src/domain/events/audit-of.js'
import type { Draft, Landing, LandingFailure, LandingSession } from '#src/ports/git/landing.js'
import { authorOf, commitMessage } from '#src/writing/batch/commit-text.js'
import type { WriteFact } from './after-write.js'
import { type ComposedWrite, type ComposedWrites, composeWrites, type PlannedWrites } from './plan-on.js'
import type { GatePorts } from './ports.js'

/** The result of landing a batch: its commits by place, and the writes that dirty files kept from landing. */
export interface LandedBatch {
  readonly facts: ReadonlyArray<WriteFact>
  readonly commits: ReadonlyMap<number, CommitId>
  readonly dirty: ComposedWrites['dirty']
  /** Why index or work tree are behind the branch, although the commits were made. */
  readonly unfinished: LandingFailure | null
}

export type LandPorts = Pick<GatePorts, 'newIntent' | 'nowMs'>

const factOf = (
  { command, set }: ComposedWrite,
  draft: Draft | undefined,
  commit: CommitId | undefined,
): ReadonlyArray<WriteFact> =>
  draft === undefined || commit === undefined
    ? []
    : [
        {
          commit,
          route: command.route,
          actor: command.actor.name,
          token: command.actor.token,
          intent: draft.intent,
          subject: set.subject,
          touches: set.touches,
          audit: set.audit ?? [],
        },
      ]

const draftOf = (ports: LandPorts, { command, set, after }: ComposedWrite): Draft => {
  const intent = ports.newIntent()
  const { actor, route } = command
  return {
    intent,
    actor: actor.name,
    route,
    author: authorOf(actor),
    message: commitMessage(set.subject, intent, command),
    after,
    audit: auditLinesOfWrite({ ...set, intent, route, actor: actor.name, token: actor.token }),
  }
}

const landIn = async (
  ports: LandPorts,
  session: LandingSession,
  planned: PlannedWrites,
): Promise<Either<LandingFailure, LandedBatch>> => {
  const found = await session.inspect(planned.files)
  if (isLeft(found)) return found
  const { clean, dirty } = composeWrites(planned, found.right)
  const drafts = clean.map(one => draftOf(ports, one))
  const outcome = await session.commit({ drafts, atMs: ports.nowMs() })
  if (isLeft(outcome)) return outcome
  const { commits, unfinished = null } = outcome.right
  return right({
    dirty,
    unfinished,
    facts: clean.flatMap((one, place) => factOf(one, drafts[place], commits[place])),
    commits: new Map(clean.flatMap(({ at }, place) => (commits[place] ? [[at, commits[place]]] : []))),
  })
}

/**
 * Lands writes that were planned on one commit, each as a commit. Leaves out those whose files hold a
 * person's changes.
 */
export const landBatch = async (
  ports: LandPorts,
  landing: Landing,
  base: CommitId | null,
  planned: PlannedWrites,
  signal: AbortSignal,
): Promise<Either<LandingFailure, LandedBatch>> => {
  const opened = await landing.open(base, signal)
  if (isLeft(opened)) return opened
  try {
    return await landIn(ports, opened.right, planned)
  } finally {
    await opened.right.close()
  }
}
