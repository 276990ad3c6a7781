import { isLeft, right } from 'fp-ts/lib/Either.js'
import type { adminRoutes } from '#protocol/admin/routes.js'
import type { Handlers } from '#src/http/handler.js'

export const admin: Handlers<typeof adminRoutes> = {
  'admin.import': async ({ node, dryRun }) => {
    const adopted = await node.adopt(dryRun)
    return isLeft(adopted) ? adopted : right({ body: adopted.right })
  },
}
