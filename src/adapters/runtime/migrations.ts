import { intentMigrations } from './intents.js'
import { jobMigrations } from './jobs.js'
import type { Migration } from './migration.js'

/** The whole schema of the runtime database, in order. */
export const migrations: ReadonlyArray<Migration> = [...intentMigrations, ...jobMigrations].sort(
  (one, other) => one.number - other.number,
)
