import { adminRoutes } from './admin.js'
import { auditRoutes } from './audit.js'
import { charactersWriteRoutes } from './characters.js'
import { deliveryRoutes } from './chat/delivery.js'
import { dispatchRoutes } from './chat/dispatch.js'
import { workflowRoutes } from './chat/workflows.js'
import { discoveryRoutes } from './discovery-routes.js'
import { entitiesRoutes } from './entities.js'
import { entitiesWriteRoutes } from './entity-writes.js'
import { eventsRoutes } from './events.js'
import { derivedRoutes } from './fleet/derived.js'
import { monitorRoutes } from './fleet/monitor.js'
import { fleetRoutes, peerRoutes } from './fleet/peer-routes.js'
import { takeoverRoutes } from './fleet/takeover-routes.js'
import { governanceRoutes } from './governance.js'
import { identityRoutes, rightsRoutes } from './identity.js'
import { jobsRoutes } from './jobs.js'
import { ledgerRoutes } from './ledger.js'
import { namesRoutes, namesWriteRoutes } from './names.js'
import { peopleRoutes, playerRoutes, rosterRoutes } from './people.js'
import { placesRoutes, placesWriteRoutes, reindexRoutes } from './places.js'
import { pointsRoutes } from './points.js'
import type { Route, Table } from './route.js'
import { searchIndexRoutes, searchRoutes } from './search.js'
import { sessionWriteRoutes } from './session-writes.js'
import { sessionsRoutes } from './sessions.js'
import { apiKeyRoutes, chatSignInRoutes, gameSignInRoutes, linkRoutes, tokenRoutes } from './sign-in.js'
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

/** Rows that belong together in the reference: the tags of the OpenAPI document. */
interface RouteArea {
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
