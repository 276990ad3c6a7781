import { createHmac, hash, randomBytes, randomInt } from 'node:crypto'
import { type Either, flattenW, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import {
  challengeAlphabet,
  challengeChars,
  challengesMax,
  challengeTtlMs,
} from '#protocol/identity/sign-in.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Challenge, ChallengeKind, Challenges } from '#src/ports/identity.js'
import { decodeRows, type Migration, type Sqlite, sqliteCode } from './sqlite.js'

export const challengeMigrations: ReadonlyArray<Migration> = [
  {
    number: 30,
    sql: `
      CREATE TABLE challenges (
        hash TEXT PRIMARY KEY,
        kind TEXT NOT NULL CHECK (kind IN ('game', 'chat')),
        expires_ms INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX challenges_expires ON challenges (expires_ms);
    `,
  },
  { number: 31, sql: `ALTER TABLE challenges ADD COLUMN network TEXT NOT NULL DEFAULT ''` },
]

/**
 * The challenges of this host in the runtime database, by their hash. A burn is one DELETE; its row count
 * decides.
 */
export const challengesIn = (database: Sqlite): Challenges => {
  const sweep = database.prepare('DELETE FROM challenges WHERE expires_ms <= ?')
  const counted = database.prepare('SELECT count(*) AS count FROM challenges WHERE expires_ms > ?')
  const insert = database.prepare(
    'INSERT INTO challenges (hash, kind, expires_ms, network) VALUES (?, ?, ?, ?)',
  )
  const held = database.prepare('SELECT count(*) AS count FROM challenges WHERE network = ?')
  const largest = database.prepare(
    'SELECT network, count(*) AS count FROM challenges GROUP BY network ORDER BY count DESC LIMIT 1',
  )
  const dropOldest = database.prepare(
    `DELETE FROM challenges WHERE hash =
     (SELECT hash FROM challenges WHERE network = ? ORDER BY expires_ms LIMIT 1)`,
  )
  const burn = database.prepare('DELETE FROM challenges WHERE hash = ? AND kind = ? AND expires_ms > ?')
  const one = database.prepare(
    'SELECT count(*) AS count FROM challenges WHERE hash = ? AND kind = ? AND expires_ms > ?',
  )
  const countIn = (rows: ReadonlyArray<unknown>): number =>
    decodeRows('challenges', Count, rows)[0]?.count ?? 0
  const first = database.prepare('SELECT expires_ms FROM challenges ORDER BY expires_ms LIMIT 1')
  const nameOf = namesOfNetworks()
  /**
   * Drops the oldest challenge of the network that holds most, unless it would then hold fewer than the
   * network that asks. A network with a single challenge keeps it.
   */
  const makesRoom = (asking: string): boolean => {
    const [most] = decodeRows('challenges', Share, largest.all())
    if (most === undefined || most.count - 1 < countIn(held.all(asking)) + 1) return false
    return dropOldest.run(most.network) === 1
  }
  const made = (
    kind: ChallengeKind,
    network: string,
    nowMs: number,
  ): Either<RefusalOf<'challenge_flood'>, Challenge> => {
    sweep.run(nowMs)
    const asking = nameOf(network)
    if (countIn(counted.all(nowMs)) >= challengesMax && !makesRoom(asking)) {
      const [next] = decodeRows('challenges', First, first.all())
      return left(flood((next?.expires_ms ?? nowMs) - nowMs))
    }
    const challenge = { text: newText(), expiresMs: nowMs + challengeTtlMs }
    insert.run(hashOf(challenge.text), kind, challenge.expiresMs, asking)
    return right(challenge)
  }
  return {
    mint: (kind, network, nowMs) =>
      flattenW(fromDisk(() => database.transaction(() => made(kind, network, nowMs)))),
    burn: (kind, text, nowMs) => fromDisk(() => burn.run(hashOf(text), kind, nowMs) === 1),
    isOutstanding: (kind, text, nowMs) => countIn(one.all(hashOf(text), kind, nowMs)) === 1,
    count: nowMs => countIn(counted.all(nowMs)),
  }
}

const Count = t.type({ count: t.number })
const First = t.type({ expires_ms: t.number })
const Share = t.type({ network: t.string, count: t.number })

const hashOf = (text: string): string => hash('sha256', text, 'hex')

const newText = (): string =>
  Array.from({ length: challengeChars }, () =>
    challengeAlphabet.charAt(randomInt(challengeAlphabet.length)),
  ).join('')

const flood = (waitMs: number): RefusalOf<'challenge_flood'> =>
  refuse(
    'challenge_flood',
    `${challengesMax} challenges are outstanding, the most that this host keeps. Try again when one has expired.`,
    {
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    },
  )

/** Returns the answer of a statement, or that SQLite refuses it; throws any other fault. */
const fromDisk = <A>(work: () => A): Either<RefusalOf<'DiskRefused'>, A> => {
  try {
    return right(work())
  } catch (error) {
    const code = sqliteCode(error)
    if (code === null) throw error
    return left(
      refuse(
        'DiskRefused',
        `The challenge could not be recorded (${code}). Fix the disk of this host, then try again.`,
      ),
    )
  }
}

/** Pseudonyms for networks: the key lives as long as the process, and is not on disk. */
const namesOfNetworks = (): ((network: string) => string) => {
  const key = randomBytes(32)
  return network => createHmac('sha256', key).update(network).digest('hex')
}
