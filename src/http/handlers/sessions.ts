import type { sessionsRoutes } from '#protocol/sessions/routes.js'
import type { Handlers } from '#src/http/handler.js'

export const sessions: Handlers<typeof sessionsRoutes> = {}
