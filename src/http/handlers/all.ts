import type { routes } from '#protocol/routes.js'
import { auditHandlers } from '#src/http/handlers/audit/audit.js'
import { deliveryHandlers } from '#src/http/handlers/chat/delivery.js'
import { dispatchHandlers } from '#src/http/handlers/chat/dispatch.js'
import { entitiesHandlers } from '#src/http/handlers/entities/entities.js'
import { derivedHandlers } from '#src/http/handlers/fleet/derived.js'
import { fleetHandlers } from '#src/http/handlers/fleet/fleet.js'
import { monitorHandlers } from '#src/http/handlers/fleet/monitor.js'
import { peersHandlers } from '#src/http/handlers/fleet/peers.js'
import { takeoverHandlers } from '#src/http/handlers/fleet/takeover.js'
import { governanceHandlers } from '#src/http/handlers/governance/governance.js'
import { apiKeysHandlers } from '#src/http/handlers/identity/api-keys.js'
import { chatSignInHandlers } from '#src/http/handlers/identity/chat-sign-in.js'
import { chatWorkflowsHandlers } from '#src/http/handlers/identity/chat-workflows.js'
import { gameSignInHandlers } from '#src/http/handlers/identity/game-sign-in.js'
import { identityHandlers } from '#src/http/handlers/identity/identity.js'
import { tokensHandlers } from '#src/http/handlers/identity/tokens.js'
import { namesHandlers } from '#src/http/handlers/names/names.js'
import { peopleHandlers } from '#src/http/handlers/people/people.js'
import { playersHandlers } from '#src/http/handlers/people/players.js'
import { rosterHandlers } from '#src/http/handlers/people/roster.js'
import { placesHandlers } from '#src/http/handlers/places/places.js'
import { reindexHandlers } from '#src/http/handlers/places/reindex.js'
import { sessionWritesHandlers } from '#src/http/handlers/sessions/session-writes.js'
import { sessionsHandlers } from '#src/http/handlers/sessions/sessions.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { NodeView } from '#src/http/routing/node-view.js'
import type { PlannedId } from '#src/writing/command.js'
import { adminHandlers } from './admin.js'
import { discoveryHandlers } from './discovery.js'
import { eventsHandlers } from './events.js'
import { jobsHandlers } from './jobs.js'
import { ledgerHandlers } from './ledger.js'
import { pointsHandlers } from './points.js'
import { searchHandlers } from './search.js'
import { searchIndexHandlers } from './search-index.js'
import { syncHandlers } from './sync.js'

/** Rows of writes whose handler prepares something before their command is sent. */
type Prepared =
  | 'apiKeys.issue'
  | 'workflows.registerByChat'
  | 'workflows.assignByChat'
  | 'sessionRegistry.regenerate'

type Handled = Exclude<keyof typeof routes, PlannedId<typeof routes>> | Prepared

/**
 * One handler for every row that is answered here; a missing or extra one does not compile. A write needs
 * none: its row has a planner, and the request goes to the gate as it is.
 */
export const handlers: Handlers<Pick<typeof routes, Handled>, NodeView> = {
  ...discoveryHandlers,
  ...gameSignInHandlers,
  ...chatSignInHandlers,
  ...identityHandlers,
  ...tokensHandlers,
  ...apiKeysHandlers,
  ...chatWorkflowsHandlers,
  ...adminHandlers,
  ...syncHandlers,
  ...deliveryHandlers,
  ...takeoverHandlers,
  ...dispatchHandlers,
  ...peersHandlers,
  ...monitorHandlers,
  ...derivedHandlers,
  ...fleetHandlers,
  ...eventsHandlers,
  ...jobsHandlers,
  ...auditHandlers,
  ...peopleHandlers,
  ...rosterHandlers,
  ...playersHandlers,
  ...pointsHandlers,
  ...placesHandlers,
  ...reindexHandlers,
  ...entitiesHandlers,
  ...namesHandlers,
  ...sessionsHandlers,
  ...sessionWritesHandlers,
  ...governanceHandlers,
  ...ledgerHandlers,
  ...searchHandlers,
  ...searchIndexHandlers,
}
