import type { adminRoutes } from '#protocol/admin/routes.js'
import type { Handlers } from '#src/http/handler.js'

export const admin: Handlers<typeof adminRoutes> = {}
