import { deliveryRoutes } from './chat/delivery.js'
import { dispatchRoutes } from './chat/dispatch.js'
import { sessionsByChatRoutes, workflowRoutes } from './chat/workflows.js'
import { closeImpactRoutes, closingRoutes, finalizeRoutes, moneyRoutes } from './enactments/closing.js'
import { reminderRoutes } from './enactments/reminder.js'
import { derivedRoutes } from './fleet/derived.js'
import { monitorRoutes } from './fleet/monitor.js'
import { fleetRoutes, peerRoutes } from './fleet/peer-routes.js'
import { takeoverRoutes } from './fleet/takeover-routes.js'
import { adminRoutes } from './host/admin.js'
import { discoveryRoutes } from './host/discovery-routes.js'
import { eventsRoutes } from './host/events.js'
import { jobsRoutes } from './host/jobs.js'
import { syncRoutes } from './host/sync-routes.js'
import { governanceRoutes } from './identity/governance.js'
import { identityRoutes, rightsRoutes } from './identity/identity.js'
import {
  apiKeyRoutes,
  chatSignInRoutes,
  gameSignInRoutes,
  linkRoutes,
  tokenRoutes,
} from './identity/sign-in.js'
import { auditRoutes } from './lore/audit.js'
import { charactersWriteRoutes } from './lore/characters.js'
import { electionsRoutes } from './lore/elections.js'
import { entitiesRoutes } from './lore/entities.js'
import { entitiesWriteRoutes } from './lore/entity-writes.js'
import { ledgerRoutes } from './lore/ledger.js'
import { mapsRoutes } from './lore/maps.js'
import { namesRoutes, namesWriteRoutes } from './lore/names.js'
import { peopleRoutes, playerRoutes, rosterRoutes } from './lore/people.js'
import { placesRoutes, placesWriteRoutes, reindexRoutes } from './lore/places.js'
import { awardRoutes, pointsRoutes } from './lore/points.js'
import { searchIndexRoutes, searchRoutes } from './lore/search.js'
import { sessionWriteRoutes } from './lore/session-writes.js'
import { sessionsRoutes } from './lore/sessions.js'
import { modelRoutes } from './models/models.js'
import type { Route, Table } from './route.js'
import { labelledRoutes } from './samples/labelled.js'
import { tuningRoutes } from './samples/tuning.js'
import { lineageRoutes } from './transcripts/lineage.js'
import { logWriteRoutes } from './transcripts/log-writes.js'
import { logsRoutes } from './transcripts/logs.js'
import { spokenRoutes } from './transcripts/spoken.js'

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
  ...sessionsByChatRoutes,
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
  ...electionsRoutes,
  ...awardRoutes,
  ...placesRoutes,
  ...reindexRoutes,
  ...mapsRoutes,
  ...placesWriteRoutes,
  ...entitiesRoutes,
  ...entitiesWriteRoutes,
  ...namesRoutes,
  ...namesWriteRoutes,
  ...sessionsRoutes,
  ...closeImpactRoutes,
  ...sessionWriteRoutes,
  ...closingRoutes,
  ...finalizeRoutes,
  ...moneyRoutes,
  ...reminderRoutes,
  ...searchRoutes,
  ...governanceRoutes,
  ...ledgerRoutes,
  ...searchIndexRoutes,
  ...logsRoutes,
  ...spokenRoutes,
  ...labelledRoutes,
  ...lineageRoutes,
  ...logWriteRoutes,
  ...tuningRoutes,
  ...modelRoutes,
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
    tables: [
      sessionsRoutes,
      closeImpactRoutes,
      sessionWriteRoutes,
      closingRoutes,
      finalizeRoutes,
      moneyRoutes,
      reminderRoutes,
    ],
  },
  {
    name: 'places',
    about: 'Places, maps and the ways between them.',
    tables: [placesRoutes, placesWriteRoutes, reindexRoutes, mapsRoutes],
  },
  {
    name: 'search',
    about: 'Full text of the lore, of sessions, of transcripts and of the works tree.',
    tables: [searchRoutes, searchIndexRoutes],
  },
  {
    name: 'transcripts',
    about: 'Transcripts of play: what is archived, and what was said.',
    tables: [logsRoutes, spokenRoutes, lineageRoutes, logWriteRoutes],
  },
  {
    name: 'samples',
    about: 'Labelled samples of the annotation tree, and what people rule on them.',
    tables: [labelledRoutes],
  },
  {
    name: 'tuning samples',
    about: 'Samples to tune a model with: read, ruled on, and exported for training.',
    tables: [tuningRoutes],
  },
  {
    name: 'models',
    about: 'Trained artifacts: which one is live, which may follow it, and the runs that train them.',
    tables: [modelRoutes],
  },
  {
    name: 'points',
    about: 'PU of characters, and who may vote.',
    tables: [pointsRoutes, awardRoutes, electionsRoutes],
  },
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
    tables: [workflowRoutes, sessionsByChatRoutes, dispatchRoutes, deliveryRoutes],
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
