import { isLeft, right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms/instant.js'
import type { SyncStatus } from '#protocol/sync/answers.js'
import type { syncRoutes } from '#protocol/sync/routes.js'
import type { Handlers } from '#src/http/handler.js'
import type { NodeView } from '#src/http/node-view.js'

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

/** Sync with the remote (A 4.5). A converge that failed is answered 200: `lastAction` and `lastDetail` say why. */
export const sync: Handlers<typeof syncRoutes> = {
  'sync.status': ({ node }) => right({ body: statusOf(node) }),
  'sync.run': async ({ node }) => {
    const ran = await node.converge()
    return isLeft(ran) ? ran : right({ body: statusOf(node) })
  },
}
