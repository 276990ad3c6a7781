import { isLeft, map, right } from 'fp-ts/lib/Either.js'
import { Adoption } from '#protocol/admin/adoption.js'
import { adminRoutes } from '#protocol/admin/routes.js'
import { actorOf, originOf } from '#src/http/checks/origin.js'
import type { Handlers } from '#src/http/routing/handler.js'

export const admin: Handlers<typeof adminRoutes> = {
  'admin.import': async ({ node, dryRun, query, caller, admits }) => {
    const origin = originOf(adminRoutes['admin.import'], caller)
    if (query.async === true && !dryRun) {
      const started = await node.jobs.start('import', async progress =>
        map(Adoption.encode)(await node.adopt(false, origin, admits, progress)),
      )
      return isLeft(started) ? started : right({ body: started.right, status: 202 })
    }
    const adopted = await node.adopt(dryRun, origin, admits)
    return isLeft(adopted) ? adopted : right({ body: adopted.right })
  },
  'admin.mode': async ({ node, body, caller, dryRun, admits }) => {
    const wanted = body.mode === 'read-only' ? 'ReadOnly' : 'ReadWrite'
    if (dryRun) return right({ body: { mode: wanted } })
    const set = await node.setMode(wanted, actorOf(caller), admits)
    return isLeft(set) ? set : right({ body: { mode: set.right } })
  },
  'admin.shutdown': ({ node, dryRun }) => {
    if (!dryRun) node.shutdown()
    return right({ body: { stopped: !dryRun } })
  },
}
