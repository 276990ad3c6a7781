import { type Either, isLeft, left, map, right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms.js'
import type { Blocker, Mode } from '#protocol/host/discovery.js'
import {
  isConverged,
  type PublishRequest,
  type SyncAction,
  type SyncEnded,
  type SyncStatus,
} from '#protocol/host/sync.js'
import type { syncRoutes } from '#protocol/host/sync-routes.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { gradeOf } from '#src/domain/identity/grade.js'
import type { Handlers } from '#src/http/routing/handler.js'

export interface SyncView {
  readonly enabled: boolean
  readonly publishMode: 'push' | 'mr' | 'none'
  readonly intervalMinutes: number
  readonly stale: boolean
  readonly staleAfterMinutes: number
  readonly lastConvergeOkMs: number | null
  readonly lastAction: SyncAction | null
  /** What git or the host reported of a failed converge; without credentials. */
  readonly lastDetail: string | null
  /** Whether the lore is a git repository. */
  readonly git: boolean
  /** The URL of the remote without credentials. */
  readonly remote: string | null
  /**
   * Commits here that the remote is not known to have; null before it was ever fetched, or while HEAD is on
   * no branch.
   */
  readonly unpublished: number | null
  /** The request that publishes the commits of this host in mode `mr`. */
  readonly request: PublishRequest | null
  readonly parked: ReadonlyArray<{ readonly ref: string; readonly commit: string }>
}

export interface SyncDeps {
  /** Convergence with the remote (A 2.8); ages and intervals in minutes. */
  readonly sync: () => SyncView
  /** Runs one converge that begins after the call; returns how it ended (A 4.5). */
  readonly converge: () => Promise<
    Either<RefusalOf<'SyncDisabled' | 'Overloaded'>, Pick<SyncView, 'lastAction' | 'lastDetail'>>
  >
  /** As `converge`, and takes a history that the remote was given since this host saw it last. */
  readonly accept: SyncDeps['converge']
  /** What accepting would do by the last converge; null where there is nothing to accept. */
  readonly planAccept: () => Promise<Exclude<SyncEnded['rewrite'], undefined>>
  readonly mode: () => Mode
  /** Why the host is read-only; null while it accepts writes. */
  readonly modeReason: () => string | null
  /** What blocks writes, or soon will, as last observed; read from memory. */
  readonly blockers: () => ReadonlyArray<Blocker>
}

/**
 * Sync with the remote (A 4.5). A converge that did not do all that its mode asks is `ConvergeFailed`, which
 * has the fields of the status; one that parked a conflict is complete, and 200.
 */
export const syncHandlers: Handlers<typeof syncRoutes, SyncDeps> = {
  'sync.get': ({ node }) => right({ body: statusOf(node) }),
  'sync.run': async ({ node, body, dryRun, caller }) => {
    if (body.acceptRewrite !== true)
      return map((status: SyncEnded) => ({ body: status }))(statusAfter(node, await node.converge()))
    if (gradeOf(caller.holds, 'admin.migrate') !== 'full')
      return left(refuse('Forbidden', mayNotAccept, { required: 'admin.migrate' }))
    if (dryRun) {
      // What it shows is what the remote has now, not at the last interval.
      const ran = await node.converge()
      const ended = statusAfter(node, ran)
      const rewrite = isLeft(ran) ? null : await node.planAccept()
      if (rewrite === null && isLeft(ended)) return ended
      return right({ body: { ...statusOf(node), accepted: false, rewrite } })
    }
    const rewrite = await node.planAccept()
    const ended = statusAfter(node, await node.accept())
    return map((status: SyncStatus) => ({ body: { ...status, accepted: true, rewrite } }))(ended)
  },
}

const statusOf = (node: SyncDeps): SyncStatus => {
  const { lastConvergeOkMs, ...sync } = node.sync()
  return {
    ...sync,
    lastConvergeOkUtc: lastConvergeOkMs === null ? null : instantOf(lastConvergeOkMs),
    mode: node.mode(),
    modeReason: node.modeReason(),
    blocked: node.blockers(),
  }
}

const mayNotAccept =
  'The token lacks the capability admin.migrate, which accepting a rewritten history needs. Use a token that has it.'

const mend = 'Fix the cause, then try again. The commits stay here until they are published.'

/** The status after a converge that did all that its mode asks; the refusal of any other. */
const statusAfter = (
  node: SyncDeps,
  ran: Awaited<ReturnType<SyncDeps['converge']>>,
): Either<RefusalOf<'SyncDisabled' | 'Overloaded' | 'ConvergeFailed'>, SyncStatus> => {
  if (isLeft(ran)) return ran
  const status: SyncStatus = { ...statusOf(node), ...ran.right }
  const { lastAction, lastDetail } = status
  if (lastAction === null || isConverged(lastAction)) return right(status)
  const why = lastDetail === null ? '' : ` (${lastDetail})`
  return left(refuse('ConvergeFailed', `The converge ended with ${lastAction}${why}. ${mend}`, status))
}
