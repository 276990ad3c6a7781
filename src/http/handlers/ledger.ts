import type { ledgerRoutes } from '#protocol/ledger/routes.js'
import type { Handlers } from '#src/http/handler.js'

export const ledger: Handlers<typeof ledgerRoutes> = {}
