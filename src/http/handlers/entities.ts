import type { entitiesRoutes } from '#protocol/entities/routes.js'
import type { Handlers } from '#src/http/handler.js'

export const entities: Handlers<typeof entitiesRoutes> = {}
