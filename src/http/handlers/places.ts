import type { placesRoutes } from '#protocol/places/routes.js'
import type { Handlers } from '#src/http/handler.js'

export const places: Handlers<typeof placesRoutes> = {}
