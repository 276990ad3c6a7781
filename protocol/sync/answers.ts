import * as t from 'io-ts'
import { CommitId } from '#protocol/atoms/commit.js'
import { Instant } from '#protocol/atoms/instant.js'
import { Blocker } from '#protocol/discovery/blocked.js'
import { PublishMode } from '#protocol/discovery/health.js'
import { Mode } from '#protocol/discovery/mode.js'
import { SyncAction } from './action.js'
import { PublishRequest } from './publish-request.js'

const textOrNull = t.union([t.string, t.null])

/**
 * A history that the remote was given since this host saw it last, and what accepting it does here: `commits` are made
 * again on `tip`, and no file version that the rewrite removed (`removed`, by path) is published again.
 */
export const RewritePlan = t.type(
  {
    seen: CommitId,
    tip: t.union([CommitId, t.null]),
    commits: t.readonlyArray(t.type({ id: CommitId, subject: t.string })),
    removed: t.readonlyArray(t.string),
  },
  'RewritePlan',
)

/**
 * The state of this host towards its remote (A 4.5): the block of `/health`, and what an operator needs to
 * repair it. `mode`, `modeReason` and `blocked` say what keeps it from writing. `unpublished` counts local
 * commits that the remote was not seen to have; null before the remote was ever seen, and while HEAD is on no
 * branch.
 */
export const SyncStatus = t.type(
  {
    enabled: t.boolean,
    git: t.boolean,
    stale: t.boolean,
    remote: textOrNull,
    publishMode: PublishMode,
    intervalMinutes: t.number,
    staleAfterMinutes: t.number,
    lastConvergeOkUtc: t.union([Instant, t.null]),
    lastAction: t.union([SyncAction, t.null]),
    lastDetail: textOrNull,
    unpublished: t.union([t.number, t.null]),
    request: t.union([PublishRequest, t.null]),
    mode: Mode,
    modeReason: textOrNull,
    blocked: t.readonlyArray(Blocker),
    parked: t.readonlyArray(t.type({ ref: t.string, commit: t.string })),
  },
  'SyncStatus',
)
export type SyncStatus = t.TypeOf<typeof SyncStatus>

/**
 * How a converge ended. Only where it was to accept a rewrite: whether it did (a dry run does not), and the plan as it
 * was before, null where there was nothing to accept.
 */
export const SyncEnded = t.intersection(
  [SyncStatus, t.partial({ accepted: t.boolean, rewrite: t.union([RewritePlan, t.null]) })],
  'SyncEnded',
)
export type SyncEnded = t.TypeOf<typeof SyncEnded>
