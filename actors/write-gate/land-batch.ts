import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms.js'
import type { Refusal } from '#protocol/refusal.js'
import { auditLinesOfWrite } from '#src/domain/events/audit-of.js'
import type { Draft, Landing, LandingFailure, LandingSession } from '#src/ports/landing.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { authorOf, commitMessage } from '#src/writing/batch/plan-batch.js'
import type { WriteFact } from './after-write.js'
import { type ComposedWrite, type ComposedWrites, composeWrites, type PlannedWrites } from './plan-on.js'
import type { GatePorts } from './ports.js'

/**
 * The result of landing a batch: its commits by place, the writes that dirty files kept from landing, and those
 * whose right had ended.
 */
export interface LandedBatch {
  readonly facts: ReadonlyArray<WriteFact>
  readonly commits: ReadonlyMap<number, CommitId>
  readonly dirty: ComposedWrites['dirty']
  readonly refused: ReadonlyArray<{ readonly at: number; readonly refusal: Refusal }>
  /** Why index or work tree are behind the branch, although the commits were made. */
  readonly unfinished: LandingFailure | null
}

export type LandPorts = Pick<GatePorts, 'newIntent' | 'nowMs' | 'admit'>

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

/**
 * Checks the right of each write again. The session may have waited seconds for the lock of another git, and a
 * token that was revoked or expired meanwhile must not write (S30, ADR 1018).
 */
const admitWrites = (
  { admit, nowMs }: LandPorts,
  snapshot: Snapshot,
  { batch, bytes }: PlannedWrites,
): Pick<PlannedWrites, 'batch' | 'bytes'> & Pick<LandedBatch, 'refused'> => {
  const checked = batch.ready.map(write => ({ write, caller: admit(write.command, snapshot, nowMs()) }))
  const ready = checked.flatMap(({ write, caller }) => (isLeft(caller) ? [] : [write]))
  const refused = checked.flatMap(({ write: { at }, caller }) =>
    isLeft(caller) ? [{ at, refusal: caller.left }] : [],
  )
  return { batch: { ...batch, ready }, bytes, refused }
}

const landIn = async (
  ports: LandPorts,
  session: LandingSession,
  snapshot: Snapshot,
  planned: PlannedWrites,
): Promise<Either<LandingFailure, LandedBatch>> => {
  const found = await session.inspect(planned.files)
  if (isLeft(found)) return found
  const { refused, ...admitted } = admitWrites(ports, snapshot, planned)
  const { clean, dirty } = composeWrites(admitted, found.right)
  const drafts = clean.map(one => draftOf(ports, one))
  const outcome = await session.commit({ drafts, atMs: ports.nowMs() })
  if (isLeft(outcome)) return outcome
  const { commits, unfinished = null } = outcome.right
  return right({
    dirty,
    refused,
    unfinished,
    facts: clean.flatMap((one, place) => factOf(one, drafts[place], commits[place])),
    commits: new Map(clean.flatMap(({ at }, place) => (commits[place] ? [[at, commits[place]]] : []))),
  })
}

/**
 * Lands writes that were planned on one snapshot, each as a commit. Leaves out those whose files hold a
 * person's changes, and those whose right ended before the lock was taken.
 */
export const landBatch = async (
  ports: LandPorts,
  landing: Landing,
  snapshot: Snapshot,
  planned: PlannedWrites,
  signal: AbortSignal,
): Promise<Either<LandingFailure, LandedBatch>> => {
  const opened = await landing.open(snapshot.commit, signal)
  if (isLeft(opened)) return opened
  try {
    return await landIn(ports, opened.right, snapshot, planned)
  } finally {
    await opened.right.close()
  }
}
