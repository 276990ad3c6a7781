import type { routes } from '#protocol/routes.js'
import { audit } from '#src/http/handlers/audit/audit.js'
import { entities } from '#src/http/handlers/entities/entities.js'
import { entitiesWrite } from '#src/http/handlers/entities/entities-write.js'
import { apiKeys } from '#src/http/handlers/identity/api-keys.js'
import { chatSignIn } from '#src/http/handlers/identity/chat-sign-in.js'
import { chatWorkflows } from '#src/http/handlers/identity/chat-workflows.js'
import { gameSignIn } from '#src/http/handlers/identity/game-sign-in.js'
import { identity } from '#src/http/handlers/identity/identity.js'
import { links } from '#src/http/handlers/identity/links.js'
import { rights } from '#src/http/handlers/identity/rights.js'
import { tokens } from '#src/http/handlers/identity/tokens.js'
import { charactersWrite } from '#src/http/handlers/people/characters-write.js'
import { people } from '#src/http/handlers/people/people.js'
import { roster } from '#src/http/handlers/people/roster.js'
import { places } from '#src/http/handlers/places/places.js'
import { placesWrite } from '#src/http/handlers/places/places-write.js'
import { reindex } from '#src/http/handlers/places/reindex.js'
import { sessionWrites } from '#src/http/handlers/sessions/session-writes.js'
import { sessions } from '#src/http/handlers/sessions/sessions.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { NodeView } from '#src/http/routing/node-view.js'
import { admin } from './admin.js'
import { discovery } from './discovery.js'
import { events } from './events.js'
import { jobs } from './jobs.js'
import { ledger } from './ledger.js'
import { points } from './points.js'
import { sync } from './sync.js'

/** One handler for every row of the table; a missing or a stray one does not compile. */
export const handlers: Handlers<typeof routes, NodeView> = {
  ...discovery,
  ...gameSignIn,
  ...chatSignIn,
  ...identity,
  ...rights,
  ...links,
  ...tokens,
  ...apiKeys,
  ...chatWorkflows,
  ...admin,
  ...sync,
  ...events,
  ...jobs,
  ...audit,
  ...people,
  ...roster,
  ...charactersWrite,
  ...points,
  ...places,
  ...reindex,
  ...placesWrite,
  ...entities,
  ...entitiesWrite,
  ...sessions,
  ...sessionWrites,
  ...ledger,
}
