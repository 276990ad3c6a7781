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
import type { Route, Table } from './route.js'
import { searchIndexRoutes } from './search/index-routes.js'
import { searchRoutes } from './search/routes.js'
import { sessionsRoutes } from './sessions/routes.js'
import { sessionWriteRoutes } from './sessions/write-routes.js'
import { syncRoutes } from './sync/routes.js'

/** Rows that belong together in the reference: the tags of the OpenAPI document. */
export interface RouteArea {
  readonly name: string
  readonly about: string
  readonly tables: ReadonlyArray<Table>
}

export const routeAreas: ReadonlyArray<RouteArea> = [
  {
    name: 'discovery',
    about: 'Health of the host, its vocabulary and its routes.',
    tables: [discoveryRoutes],
  },
  {
    name: 'entities',
    about: 'Blocks of the lore: people, characters, places, groups and items alike.',
    tables: [entitiesRoutes, entitiesWriteRoutes],
  },
  {
    name: 'names',
    about: 'Which block a name means, in any form, and which spellings lack an alias.',
    tables: [namesRoutes, namesWriteRoutes],
  },
  {
    name: 'people',
    about: 'People of the roster, their characters, and players of the game.',
    tables: [peopleRoutes, rosterRoutes, playerRoutes, charactersWriteRoutes],
  },
  {
    name: 'sessions',
    about: 'Sessions that were played, are open or wait as drafts.',
    tables: [sessionsRoutes, sessionWriteRoutes],
  },
  {
    name: 'places',
    about: 'Places, maps and the ways between them.',
    tables: [placesRoutes, placesWriteRoutes, reindexRoutes],
  },
  {
    name: 'search',
    about: 'Full text of the lore, of sessions, of transcripts and of the works tree.',
    tables: [searchRoutes, searchIndexRoutes],
  },
  { name: 'points', about: 'PU of characters, and who may vote.', tables: [pointsRoutes] },
  {
    name: 'governance',
    about: 'Offices and regulations by day, permissions of narrators, and owners of schedules.',
    tables: [governanceRoutes, ledgerRoutes],
  },
  {
    name: 'identity',
    about: 'Sign-in, rights, tokens and api keys.',
    tables: [
      gameSignInRoutes,
      chatSignInRoutes,
      linkRoutes,
      identityRoutes,
      rightsRoutes,
      tokenRoutes,
      apiKeyRoutes,
    ],
  },
  {
    name: 'chat',
    about: 'What the agent of the chat platform asks for, and messages to the chat.',
    tables: [workflowRoutes, dispatchRoutes, deliveryRoutes],
  },
  { name: 'events', about: 'The event stream, its journal and the log streams.', tables: [eventsRoutes] },
  { name: 'jobs', about: 'Requests that are answered later.', tables: [jobsRoutes] },
  { name: 'audit', about: 'Changes from git, and messages that sessions owe.', tables: [auditRoutes] },
  { name: 'sync', about: 'Convergence with the remote.', tables: [syncRoutes] },
  {
    name: 'fleet',
    about: 'The hosts that serve one lore, and the one that leads them.',
    tables: [fleetRoutes, peerRoutes, monitorRoutes, takeoverRoutes, derivedRoutes],
  },
  { name: 'admin', about: 'Adoption, mode and shutdown.', tables: [adminRoutes] },
]

/** The area that has the row; null for a row of another table. */
export const routeAreaOf = (row: Route): RouteArea | null =>
  routeAreas.find(({ tables }) => tables.some(table => Object.values(table).includes(row))) ?? null
