import type { discoveryRoutes } from '#protocol/discovery/routes.js'
import type { Handlers } from '#src/http/handler.js'

export const discovery: Handlers<typeof discoveryRoutes> = {}
