import { challengeMigrations } from './challenges.js'
import { deliveryMigrations } from './chat/deliveries.js'
import { dispatchMigrations } from './chat/dispatches.js'
import { claimMigrations } from './claims.js'
import { obeyedTopologyMigrations } from './fleet/obeyed-topology.js'
import { takeoverMigrations } from './fleet/takeovers.js'
import { intentMigrations } from './intents.js'
import { jobMigrations } from './jobs.js'
import { loginMigrations } from './logins.js'
import type { Migration } from './migration.js'
import { namedTokenMigrations } from './named-tokens.js'
import { owedAuditMigrations } from './owed-audit.js'
import { rosterFetchMigrations } from './roster-fetches.js'
import { shownIdTokenMigrations } from './shown-id-tokens.js'

/**
 * The complete schema of the runtime database, in order. Ranges of the families: intents 1, jobs 2, logins 10
 * to 19, named tokens 20 to 29, challenges 30 to 34, shown id tokens 35 to 39, claims of api keys 40 to 49,
 * owed audit lines 50 to 59, fetches of the roster 60 to 64, the obeyed topology 65 to 69, takeovers 70 to 74,
 * dispatches 80 to 84, deliveries 90 to 94.
 */
export const migrations: ReadonlyArray<Migration> = [
  ...intentMigrations,
  ...jobMigrations,
  ...loginMigrations,
  ...namedTokenMigrations,
  ...challengeMigrations,
  ...shownIdTokenMigrations,
  ...claimMigrations,
  ...owedAuditMigrations,
  ...rosterFetchMigrations,
  ...takeoverMigrations,
  ...obeyedTopologyMigrations,
  ...deliveryMigrations,
  ...dispatchMigrations,
].sort((one, other) => one.number - other.number)
