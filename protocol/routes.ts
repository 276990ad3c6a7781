import { adminRoutes } from './admin/routes.js'
import { auditRoutes } from './audit/routes.js'
import { deliveryRoutes } from './chat/delivery-routes.js'
import { dispatchRoutes } from './chat/dispatch-routes.js'
import { workflowRoutes } from './chat/workflow-routes.js'
import { discoveryRoutes } from './discovery/routes.js'
import { entitiesRoutes } from './entities/routes.js'
import { entitiesWriteRoutes } from './entities/write-routes.js'
import { eventsRoutes } from './events/routes.js'
import { derivedRoutes } from './fleet/derived-routes.js'
import { monitorRoutes } from './fleet/monitor-routes.js'
import { peerRoutes } from './fleet/peer-routes.js'
import { fleetRoutes } from './fleet/routes.js'
import { takeoverRoutes } from './fleet/takeover-routes.js'
import { governanceRoutes } from './governance/routes.js'
import { apiKeyRoutes } from './identity/api-key-routes.js'
import { chatSignInRoutes } from './identity/chat-sign-in-routes.js'
import { gameSignInRoutes } from './identity/game-sign-in-routes.js'
import { linkRoutes } from './identity/link-routes.js'
import { rightsRoutes } from './identity/rights-routes.js'
import { identityRoutes } from './identity/routes.js'
import { tokenRoutes } from './identity/token-routes.js'
import { jobsRoutes } from './jobs/routes.js'
import { ledgerRoutes } from './ledger/routes.js'
import { namesRoutes } from './names/routes.js'
import { namesWriteRoutes } from './names/write-routes.js'
import { charactersWriteRoutes } from './people/character-routes.js'
import { playerRoutes } from './people/player-routes.js'
import { rosterRoutes } from './people/roster-routes.js'
import { peopleRoutes } from './people/routes.js'
import { reindexRoutes } from './places/reindex-routes.js'
import { placesRoutes } from './places/routes.js'
import { placesWriteRoutes } from './places/write-routes.js'
import { pointsRoutes } from './points/routes.js'
import type { Table } from './route.js'
import { searchIndexRoutes } from './search/index-routes.js'
import { searchRoutes } from './search/routes.js'
import { sessionsRoutes } from './sessions/routes.js'
import { sessionWriteRoutes } from './sessions/write-routes.js'
import { syncRoutes } from './sync/routes.js'

/**
 * The closed route table: every route that this host answers, and no other (A 1). Order is the order of `GET
 * /routes`.
 */
export const routes = {
  ...discoveryRoutes,
  ...gameSignInRoutes,
  ...chatSignInRoutes,
  ...linkRoutes,
  ...identityRoutes,
  ...rightsRoutes,
  ...tokenRoutes,
  ...apiKeyRoutes,
  ...workflowRoutes,
  ...dispatchRoutes,
  ...adminRoutes,
  ...syncRoutes,
  ...deliveryRoutes,
  ...takeoverRoutes,
  ...fleetRoutes,
  ...peerRoutes,
  ...monitorRoutes,
  ...derivedRoutes,
  ...eventsRoutes,
  ...jobsRoutes,
  ...auditRoutes,
  ...peopleRoutes,
  ...rosterRoutes,
  ...playerRoutes,
  ...charactersWriteRoutes,
  ...pointsRoutes,
  ...placesRoutes,
  ...reindexRoutes,
  ...placesWriteRoutes,
  ...entitiesRoutes,
  ...entitiesWriteRoutes,
  ...namesRoutes,
  ...namesWriteRoutes,
  ...sessionsRoutes,
  ...sessionWriteRoutes,
  ...searchRoutes,
  ...governanceRoutes,
  ...ledgerRoutes,
  ...searchIndexRoutes,
} as const satisfies Table
