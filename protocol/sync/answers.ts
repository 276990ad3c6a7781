import * as t from 'io-ts'
import { Instant } from '#protocol/atoms/instant.js'
import { Blocker } from '#protocol/discovery/blocked.js'
import { PublishMode } from '#protocol/discovery/health.js'
import { Mode } from '#protocol/discovery/mode.js'
import { SyncAction } from './action.js'
import { PublishRequest } from './publish-request.js'

const textOrNull = t.union([t.string, t.null])

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
