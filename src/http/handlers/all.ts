import type { routes } from '#protocol/routes.js'
import type { Handlers } from '#src/http/handler.js'
import { admin } from './admin.js'
import { apiKeys } from './api-keys.js'
import { audit } from './audit.js'
import { charactersWrite } from './characters-write.js'
import { chatSignIn } from './chat-sign-in.js'
import { chatWorkflows } from './chat-workflows.js'
import { discovery } from './discovery.js'
import { entities } from './entities.js'
import { entitiesWrite } from './entities-write.js'
import { events } from './events.js'
import { gameSignIn } from './game-sign-in.js'
import { identity } from './identity.js'
import { jobs } from './jobs.js'
import { ledger } from './ledger.js'
import { links } from './links.js'
import { people } from './people.js'
import { places } from './places.js'
import { placesWrite } from './places-write.js'
import { points } from './points.js'
import { reindex } from './reindex.js'
import { rights } from './rights.js'
import { roster } from './roster.js'
import { sessionWrites } from './session-writes.js'
import { sessions } from './sessions.js'
import { sync } from './sync.js'
import { tokens } from './tokens.js'

/** One handler for every row of the table; a missing or a stray one does not compile. */
export const handlers: Handlers<typeof routes> = {
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
