import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms/instant.js'
import { refuse } from '#protocol/refusal.js'
import { isConverged } from '#protocol/sync/action.js'
import type { SyncStatus } from '#protocol/sync/answers.js'
import type { syncRoutes } from '#protocol/sync/routes.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { NodeView } from '#src/http/routing/node-view.js'

const statusOf = (node: NodeView): SyncStatus => {
  const { lastConvergeOkMs, ...sync } = node.sync()
  return {
    ...sync,
    lastConvergeOkUtc: lastConvergeOkMs === null ? null : instantOf(lastConvergeOkMs),
    mode: node.mode(),
    modeReason: node.modeReason(),
    blocked: node.blockers(),
  }
}

const mend = 'Mend what it names, then ask again; the commits stay here until they are published.'

/**
 * Sync with the remote (A 4.5). A converge that ended without all that its mode asks is `ConvergeFailed`, which has
 * the fields of the status; one that parked a conflict did all and is 200.
 */
export const sync: Handlers<typeof syncRoutes> = {
  'sync.status': ({ node }) => right({ body: statusOf(node) }),
  'sync.run': async ({ node }) => {
    const ran = await node.converge()
    if (isLeft(ran)) return ran
    const status: SyncStatus = { ...statusOf(node), ...ran.right }
    const { lastAction, lastDetail } = status
    if (lastAction === null || isConverged(lastAction)) return right({ body: status })
    const why = lastDetail === null ? '' : ` (${lastDetail})`
    return left(refuse('ConvergeFailed', `The converge came to ${lastAction}${why}. ${mend}`, status))
  },
}
