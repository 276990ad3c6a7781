import type { routes } from '#protocol/routes.js'
import { auditHandlers } from '#src/http/handlers/audit/audit.js'
import { entitiesHandlers } from '#src/http/handlers/entities/entities.js'
import { entitiesWriteHandlers } from '#src/http/handlers/entities/entities-write.js'
import { apiKeysHandlers } from '#src/http/handlers/identity/api-keys.js'
import { chatSignInHandlers } from '#src/http/handlers/identity/chat-sign-in.js'
import { chatWorkflowsHandlers } from '#src/http/handlers/identity/chat-workflows.js'
import { gameSignInHandlers } from '#src/http/handlers/identity/game-sign-in.js'
import { identityHandlers } from '#src/http/handlers/identity/identity.js'
import { linksHandlers } from '#src/http/handlers/identity/links.js'
import { rightsHandlers } from '#src/http/handlers/identity/rights.js'
import { tokensHandlers } from '#src/http/handlers/identity/tokens.js'
import { charactersWriteHandlers } from '#src/http/handlers/people/characters-write.js'
import { peopleHandlers } from '#src/http/handlers/people/people.js'
import { rosterHandlers } from '#src/http/handlers/people/roster.js'
import { placesHandlers } from '#src/http/handlers/places/places.js'
import { placesWriteHandlers } from '#src/http/handlers/places/places-write.js'
import { reindexHandlers } from '#src/http/handlers/places/reindex.js'
import { sessionWritesHandlers } from '#src/http/handlers/sessions/session-writes.js'
import { sessionsHandlers } from '#src/http/handlers/sessions/sessions.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { NodeView } from '#src/http/routing/node-view.js'
import { adminHandlers } from './admin.js'
import { discoveryHandlers } from './discovery.js'
import { eventsHandlers } from './events.js'
import { jobsHandlers } from './jobs.js'
import { ledgerHandlers } from './ledger.js'
import { pointsHandlers } from './points.js'
import { syncHandlers } from './sync.js'

/** One handler for every row of the table; a missing or a stray one does not compile. */
export const handlers: Handlers<typeof routes, NodeView> = {
  ...discoveryHandlers,
  ...gameSignInHandlers,
  ...chatSignInHandlers,
  ...identityHandlers,
  ...rightsHandlers,
  ...linksHandlers,
  ...tokensHandlers,
  ...apiKeysHandlers,
  ...chatWorkflowsHandlers,
  ...adminHandlers,
  ...syncHandlers,
  ...eventsHandlers,
  ...jobsHandlers,
  ...auditHandlers,
  ...peopleHandlers,
  ...rosterHandlers,
  ...charactersWriteHandlers,
  ...pointsHandlers,
  ...placesHandlers,
  ...reindexHandlers,
  ...placesWriteHandlers,
  ...entitiesHandlers,
  ...entitiesWriteHandlers,
  ...sessionsHandlers,
  ...sessionWritesHandlers,
  ...ledgerHandlers,
}
