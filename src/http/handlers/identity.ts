import type { identityRoutes } from '#protocol/identity/routes.js'
import type { Handlers } from '#src/http/handler.js'

export const identity: Handlers<typeof identityRoutes> = {}
