import { right } from 'fp-ts/lib/Either.js'
import { challengeTtlMs } from '#protocol/identity/sign-in.js'
import { challengeMigrations, challengesIn } from '#src/adapters/runtime/challenges.js'
import { openSqlite } from '#src/adapters/runtime/sqlite.js'
import type { Challenges } from '#src/ports/identity.js'

const openChallenges = (): Challenges => {
  const database = openSqlite(':memory:', 0)
  for (const { sql } of challengeMigrations) database.exec(sql)
  return challengesIn(database)
}

/** A store that always mints the same challenge, for tests that compare answers. */
export const sameChallenge = (): Challenges => ({
  ...challengesInMemory(),
  mint: (_kind, _network, nowMs) =>
    right({ text: 'ChallengeOfTheTests0123456789abc', expiresMs: nowMs + challengeTtlMs }),
})

/** The node's store over SQLite in memory, created at its first use: most tests never need it. */
export const challengesInMemory = (): Challenges => {
  let made: Challenges | null = null
  const store = (): Challenges => {
    made ??= openChallenges()
    return made
  }
  return {
    mint: (...asked) => store().mint(...asked),
    burn: (...asked) => store().burn(...asked),
    isOutstanding: (...asked) => store().isOutstanding(...asked),
    count: nowMs => store().count(nowMs),
  }
}
