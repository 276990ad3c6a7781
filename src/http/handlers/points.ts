import type { pointsRoutes } from '#protocol/points/routes.js'
import type { Handlers } from '#src/http/handler.js'

export const points: Handlers<typeof pointsRoutes> = {}
