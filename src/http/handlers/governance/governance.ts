import { left, right } from 'fp-ts/lib/Either.js'
import type { governanceRoutes } from '#protocol/governance.js'
import { refuse } from '#protocol/refusal.js'
import { configPath, readSchedules, schedulesAnswer } from '#src/domain/config/schedules.js'
import { listPermissions, permissionsPath, readPermissions } from '#src/domain/identity/permissions.js'
import type { Handlers } from '#src/http/routing/handler.js'

type Reads = Pick<typeof governanceRoutes, 'config.schedules.get' | 'governance.permissions.list'>

/** Permissions of narrators and owners of schedules (A 4.11): functions of the committed files. */
export const governanceHandlers: Handlers<Reads> = {
  'config.schedules.get': ({ snapshot }) =>
    right({ body: schedulesAnswer(readSchedules(snapshot.files.get(configPath) ?? null)) }),
  'governance.permissions.list': ({ snapshot, query }) => {
    const { rows } = readPermissions(snapshot.files.get(permissionsPath) ?? null)
    if (rows === null) {
      const detail = `${permissionsPath} cannot be read. Fix it, and commit that.`
      return left(refuse('StoreUnreadable', detail, { file: permissionsPath }))
    }
    const items = listPermissions(snapshot, rows, query.id)
    return right({ body: { count: items.length, items } })
  },
}
