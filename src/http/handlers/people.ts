import type { peopleRoutes } from '#protocol/people/routes.js'
import type { Handlers } from '#src/http/handler.js'

export const people: Handlers<typeof peopleRoutes> = {}
