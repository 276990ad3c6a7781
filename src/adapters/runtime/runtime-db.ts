import { closeSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { LogFault, stateOfFault } from '#protocol/transcripts/log-writes.js'
import {
  fileStands,
  isDamage,
  requireStanding,
  type StateTrouble,
  stateTrouble,
} from '#src/adapters/state/state-trouble.js'
import type { MapCheckupStore, ObeyedTopologyStore } from '#src/ports/host.js'
import {
  type Challenges,
  type ClaimStore,
  type LoginStore,
  type NamedTokenStore,
  type RosterFetches,
  rosterShareOf,
  type ShownIdTokenStore,
} from '#src/ports/identity.js'
import type { LogAttempts } from '#src/ports/log-fetching.js'
import type {
  DeliveryStore,
  DispatchStore,
  GroupCommit,
  Intents,
  JobStore,
  OwedAudit,
  TakeoverStore,
} from '#src/ports/records.js'
import { challengeMigrations, challengesIn } from './challenges.js'
import { deliveriesIn, deliveryMigrations } from './deliveries.js'
import { dispatchesIn, dispatchMigrations } from './dispatches.js'
import { type GatherWrites, gatherInTurn, openGroupCommit } from './group-commit.js'
import { intentMigrations, intentsIn } from './intents.js'
import { jobMigrations, jobsIn } from './jobs.js'
import {
  loginMigrations,
  loginsIn,
  namedTokenMigrations,
  openNamedTokens,
  openShownIdTokens,
  shownIdTokenMigrations,
} from './logins.js'
import { openOwedAudit, owedAuditMigrations } from './owed-audit.js'
import { decodeRows, type Migration, migrate, openSqlite, type Sqlite } from './sqlite.js'
import { obeyedTopologyMigrations, openObeyedTopology, takeoverMigrations, takeoversIn } from './takeovers.js'

/** What this host stores beside the lore. A transaction is on disk when its call returns (F1). */
export interface RuntimeDb {
  readonly intents: Intents
  readonly jobs: JobStore
  readonly logins: LoginStore
  readonly namedTokens: NamedTokenStore
  readonly challenges: Challenges
  readonly shownIdTokens: ShownIdTokenStore
  readonly claims: ClaimStore
  readonly owedAudit: OwedAudit
  readonly rosterFetches: RosterFetches
  readonly takeovers: TakeoverStore
  readonly dispatches: DispatchStore
  readonly obeyedTopology: ObeyedTopologyStore
  readonly deliveries: DeliveryStore
  readonly mapCheckup: MapCheckupStore
  /** The failure markers of transcripts; each is forgotten after the time given. */
  readonly logAttempts: (ttlMs: number) => LogAttempts
  /** Commits writes of these stores together. */
  readonly groupCommit: GroupCommit
  readonly untoldLoss: UntoldLoss
  /** The current settings, as SQLite reports them. */
  readonly durability: () => { readonly journal: unknown; readonly synchronous: unknown }
  /**
   * Whether `runtime.db` is still the file that was opened; otherwise what is written into it is lost when
   * the process ends.
   */
  readonly stands: () => boolean
  readonly close: () => void
}

/** The size of the write-ahead log of the runtime database; 0 where there is none. */
export const walBytes = (state: string): number =>
  statSync(`${fileIn(state)}-wal`, { throwIfNoEntry: false })?.size ?? 0

/**
 * Opens the runtime database of a held state area, readable only by its owner, and updates its schema. Left:
 * why it is unusable and what to do. A damaged file, or one of a newer build, is never replaced. A file that
 * replaces a lost one records `loss` until a host has logged it. `gather` decides how long the writes of a group commit
 * gather.
 */
export const openRuntimeDb = (
  state: string,
  loss: StateLoss | null = null,
  gather: GatherWrites = gatherInTurn,
): Either<StateTrouble, RuntimeDb> => {
  const path = fileIn(state)
  let database: Sqlite | null = null
  try {
    closeSync(openSync(path, 'a', 0o600))
    database = openSqlite(path, busyMs)
    if (loss !== null) markLoss(database, loss)
    const opened = prepareDatabase(database, path, gather)
    if (opened._tag === 'Left') database.close()
    return opened
  } catch (error) {
    database?.close()
    const reason = error instanceof Error ? error.message : String(error)
    return left(isDamage(error) ? damageTrouble(path, reason) : stateTrouble(state, error))
  }
}

/** What a host has lost: the whole state area, or only its `runtime.db`. */
export type StateLoss = 'AreaLost' | 'RuntimeLost'

export const claimMigrations: ReadonlyArray<Migration> = [
  {
    number: 40,
    sql: `
      CREATE TABLE claims (
        code_hash TEXT PRIMARY KEY,
        sealed TEXT NOT NULL,
        game_id TEXT NOT NULL,
        expires_ms INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX claims_expires ON claims (expires_ms);
    `,
  },
]

const rosterFetchMigrations: ReadonlyArray<Migration> = [
  {
    number: 60,
    sql: `
      CREATE TABLE roster_fetches (at_ms INTEGER NOT NULL) STRICT;
      CREATE INDEX roster_fetches_at ON roster_fetches (at_ms);
    `,
  },
  { number: 61, sql: 'ALTER TABLE roster_fetches ADD COLUMN person TEXT' },
]

const mapCheckupMigrations: ReadonlyArray<Migration> = [
  {
    number: 95,
    sql: `
      CREATE TABLE map_checkup (
        only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
        cursor INTEGER NOT NULL,
        failures INTEGER NOT NULL,
        due_ms INTEGER NOT NULL
      ) STRICT;
    `,
  },
]

const logAttemptMigrations: ReadonlyArray<Migration> = [
  {
    number: 100,
    sql: `
      CREATE TABLE log_attempts (
        address TEXT PRIMARY KEY,
        reason TEXT NOT NULL,
        status INTEGER,
        attempts INTEGER NOT NULL,
        at_ms INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
    `,
  },
]

/**
 * The complete schema of the runtime database, in order. Ranges of the families: intents 1 and 3, jobs 2, logins 10
 * to 19, named tokens 20 to 29, challenges 30 to 34, shown id tokens 35 to 39, claims of api keys 40 to 49,
 * owed audit lines 50 to 59, fetches of the roster 60 to 64, the obeyed topology 65 to 69, takeovers 70 to 74,
 * dispatches 80 to 84, deliveries and owed notices 90 to 94, the map checkup 95 to 99, failures of transcripts 100 to
 * 104.
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
  ...mapCheckupMigrations,
  ...logAttemptMigrations,
].sort((one, other) => one.number - other.number)

/** The failure markers in the runtime database; one is forgotten `ttlMs` after its last attempt. */
const logAttemptsIn = (database: Sqlite): ((ttlMs: number) => LogAttempts) => {
  const all = database.prepare(
    'SELECT address, reason, status, attempts, at_ms FROM log_attempts WHERE at_ms > ?',
  )
  const sweep = database.prepare('DELETE FROM log_attempts WHERE at_ms <= ?')
  const add = database.prepare(`
    INSERT INTO log_attempts (address, reason, status, attempts, at_ms) VALUES (?, ?, ?, 1, ?)
    ON CONFLICT (address) DO UPDATE SET
      reason = excluded.reason, status = excluded.status, attempts = attempts + 1, at_ms = excluded.at_ms
  `)
  const drop = database.prepare('DELETE FROM log_attempts WHERE address = ?')
  return ttlMs => ({
    all: nowMs =>
      new Map(
        decodeRows('log_attempts', AttemptRow, all.all(nowMs - ttlMs)).map(
          ({ address, reason, status, attempts, at_ms: atMs }) =>
            [
              address,
              { state: stateOfFault(reason), reason, upstreamStatus: status, attempts, atMs },
            ] as const,
        ),
      ),
    failed: (address, reason, status, nowMs) =>
      database.transaction(() => {
        sweep.run(nowMs - ttlMs)
        add.run(address, reason, status, nowMs)
      }),
    taken: address => {
      drop.run(address)
    },
  })
}

/** The claims of this host in the runtime database. One DELETE that returns the claim takes it. */
export const claimsIn = (database: Sqlite): ClaimStore => {
  const insert = database.prepare(
    'INSERT INTO claims (code_hash, sealed, game_id, expires_ms) VALUES (?, ?, ?, ?)',
  )
  const sweep = database.prepare('DELETE FROM claims WHERE expires_ms <= ?')
  const take = database.prepare(
    'DELETE FROM claims WHERE code_hash = ? AND expires_ms > ? RETURNING sealed, game_id',
  )
  const drop = database.prepare('DELETE FROM claims WHERE code_hash = ?')
  return {
    keep: ({ codeHash, sealed, gameId, expiresMs }, nowMs) =>
      database.transaction(() => {
        sweep.run(nowMs)
        insert.run(codeHash, sealed, gameId, expiresMs)
      }),
    take: (codeHash, nowMs) => {
      const [row] = decodeRows('claims', Row, take.all(codeHash, nowMs))
      return row === undefined ? null : { sealed: row.sealed, gameId: row.game_id }
    },
    drop: codeHash => {
      drop.run(codeHash)
    },
  }
}

/** The state of the map checkup in the runtime database: one row, or none before its first tick. */
export const mapCheckupIn = (database: Sqlite): MapCheckupStore => {
  const find = database.prepare('SELECT cursor, failures, due_ms FROM map_checkup')
  const keep = database.prepare(
    'INSERT OR REPLACE INTO map_checkup (only_row, cursor, failures, due_ms) VALUES (1, ?, ?, ?)',
  )
  return {
    find: () => {
      const [row] = decodeRows('map_checkup', CheckupRow, find.all())
      return row === undefined ? null : { cursor: row.cursor, failures: row.failures, dueMs: row.due_ms }
    },
    keep: ({ cursor, failures, dueMs }) => void keep.run(cursor, failures, Math.round(dueMs)),
  }
}

const CheckupRow = t.type({ cursor: t.number, failures: t.number, due_ms: t.number })

const fileIn = (state: string): string => join(state, 'runtime.db')

const busyMs = 2_000
const full = 2

/**
 * Sets WAL and an fsync at each commit. SQLite resets to NORMAL when reopened, so both are set and read back
 * (F1).
 */
const makeDurable = (database: Sqlite): void => {
  const journal = database.pragma('journal_mode = WAL')
  if (journal !== 'wal') throw new Error(`its journal is ${String(journal)} where it must be wal`)
  database.exec('PRAGMA synchronous = FULL')
  if (database.pragma('synchronous') !== full) throw new Error('synchronous=FULL does not hold')
}

const moveAway = 'move runtime.db, runtime.db-wal and runtime.db-shm away together to begin with an empty one'

const damageTrouble = (path: string, what: string): StateTrouble => ({
  cause: 'state_damaged',
  reason: `${path} is damaged (${what}). The host does not replace it by itself, because it holds \
jobs, intents and tokens of this host. Put a copy back in its place, or ${moveAway}; \
the lore is in git and not touched.`,
})

/** Checks the file and updates its schema. Left: why it is unusable. */
const checkDatabase = (database: Sqlite, path: string): Either<StateTrouble, void> => {
  makeDurable(database)
  const check = database.pragma('quick_check(1)')
  if (check !== 'ok') return left(damageTrouble(path, String(check)))
  const schema = migrate(database, migrations)
  if (schema._tag === 'Right') return right(undefined)
  const { found, known } = schema.left
  return left({
    cause: 'state_newer',
    reason: `${path} has schema step ${found}, this build knows ${known} at most: a newer build wrote it. \
Start that build, or ${moveAway}.`,
  })
}

const prepareDatabase = (
  database: Sqlite,
  path: string,
  gather: GatherWrites,
): Either<StateTrouble, RuntimeDb> => {
  const checked = checkDatabase(database, path)
  if (checked._tag === 'Left') return checked
  const owedAudit = openOwedAudit(database)
  const stands = fileStands(path)
  const whileStanding = requireStanding(stands)
  const logins = loginsIn(database)
  const rosterFetches = rosterFetchesIn(database)
  const takeovers = takeoversIn(database)
  const obeyedTopology = openObeyedTopology(database)
  const mapCheckup = mapCheckupIn(database)
  const namedTokens = openNamedTokens(database, owedAudit)
  const deliveries = deliveriesIn(database)
  const dispatches = dispatchesIn(database, deliveries.recordAnswer)
  return right({
    intents: intentsIn(database, owedAudit, deliveries),
    jobs: jobsIn(database),
    logins: { ...logins, keep: whileStanding(logins.keep) },
    namedTokens: {
      ...namedTokens,
      keep: whileStanding(namedTokens.keep),
      forget: whileStanding(namedTokens.forget),
    },
    challenges: challengesIn(database),
    shownIdTokens: openShownIdTokens(database),
    claims: claimsIn(database),
    owedAudit,
    rosterFetches: {
      ...rosterFetches,
      take: whileStanding(rosterFetches.take),
      giveBack: whileStanding(rosterFetches.giveBack),
    },
    takeovers: { ...takeovers, enqueue: whileStanding(takeovers.enqueue) },
    dispatches: { ...dispatches, enqueue: whileStanding(dispatches.enqueue) },
    obeyedTopology: { ...obeyedTopology, keep: whileStanding(obeyedTopology.keep) },
    deliveries: {
      ...deliveries,
      enqueue: whileStanding(deliveries.enqueue),
      releaseNotices: whileStanding(deliveries.releaseNotices),
      begin: whileStanding(deliveries.begin),
    },
    mapCheckup: { ...mapCheckup, keep: whileStanding(mapCheckup.keep) },
    logAttempts: logAttemptsIn(database),
    groupCommit: openGroupCommit(database, gather),
    untoldLoss: untoldLossIn(database),
    durability: () => ({
      journal: database.pragma('journal_mode'),
      synchronous: database.pragma('synchronous'),
    }),
    stands,
    close: () => {
      owedAudit.close()
      database.close()
    },
  })
}

/**
 * The loss that this `runtime.db` replaces, until a host has logged it. It is stored in the header of the
 * file (`application_id`), so that a restored backup does not have it.
 */
interface UntoldLoss {
  /** Null where no loss is unlogged. */
  readonly find: () => StateLoss | null
  /** Durable when it returns. */
  readonly forget: () => void
}

const codes: Readonly<Record<StateLoss, number>> = { AreaLost: 1, RuntimeLost: 2 }

/** Marks an empty file. It must be the first write, so that no kill leaves a file without the mark. */
const markLoss = (database: Sqlite, loss: StateLoss): void =>
  database.exec(`PRAGMA application_id = ${codes[loss]}`)

/** The loss that `markLoss` left in the database and that no start has reported yet. */
const untoldLossIn = (database: Sqlite): UntoldLoss => ({
  find: () => {
    const code = database.pragma('application_id')
    return code === codes.AreaLost ? 'AreaLost' : code === codes.RuntimeLost ? 'RuntimeLost' : null
  },
  forget: () => database.exec('PRAGMA application_id = 0'),
})

const Row = t.type({ sealed: t.string, game_id: t.string })

const hourMs = 3_600_000

const At = t.type({ at_ms: t.number })
const Taken = t.type({ fetch: t.number })
const Count = t.type({ count: t.number })

/**
 * The fetches of the roster in the runtime database. One transaction sweeps, counts and records. A time that
 * lies ahead, because the clock was set back, counts as now: it ends an hour from now and not earlier.
 */
const rosterFetchesIn = (database: Sqlite): RosterFetches => {
  const sweep = database.prepare('DELETE FROM roster_fetches WHERE at_ms <= ?')
  const pull = database.prepare('UPDATE roster_fetches SET at_ms = ? WHERE at_ms > ?')
  const counted = database.prepare('SELECT count(*) AS count FROM roster_fetches WHERE at_ms > ?')
  const nth = database.prepare('SELECT at_ms FROM roster_fetches ORDER BY at_ms DESC LIMIT 1 OFFSET ?')
  const nthOf = database.prepare(
    'SELECT at_ms FROM roster_fetches WHERE person = ? ORDER BY at_ms DESC LIMIT 1 OFFSET ?',
  )
  const insert = database.prepare(
    'INSERT INTO roster_fetches (at_ms, person) VALUES (?, ?) RETURNING rowid AS fetch',
  )
  const remove = database.prepare('DELETE FROM roster_fetches WHERE rowid = ?')
  /** How long until fewer than `max` fetches, of a person or (null) of all, are in the last hour; 0 for now. */
  const waitMs = (max: number, nowMs: number, person: string | null): number => {
    if (max < 1) return hourMs
    // A place is free as soon as the fetch that fills the last one is an hour old.
    const [last] = decodeRows(
      'roster_fetches',
      At,
      person === null ? nth.all(max - 1) : nthOf.all(person, max - 1),
    )
    return last === undefined ? 0 : last.at_ms + hourMs - nowMs
  }
  return {
    take: (perHour, nowMs, person) =>
      database.transaction(() => {
        sweep.run(nowMs - hourMs)
        pull.run(nowMs, nowMs)
        const ofHost = waitMs(perHour, nowMs, null)
        if (ofHost > 0) return { _tag: 'Exhausted', of: 'host', retryAfterMs: ofHost }
        const ofPerson = person === null ? 0 : waitMs(rosterShareOf(perHour), nowMs, person)
        if (ofPerson > 0) return { _tag: 'Exhausted', of: 'person', retryAfterMs: ofPerson }
        const [taken] = decodeRows('roster_fetches', Taken, insert.all(nowMs, person))
        if (taken === undefined) throw new Error('the fetch has no row')
        return { _tag: 'Taken', fetch: taken.fetch }
      }),
    giveBack: fetch => void remove.run(fetch),
    count: nowMs => decodeRows('roster_fetches', Count, counted.all(nowMs - hourMs))[0]?.count ?? 0,
  }
}

const AttemptRow = t.type({
  address: t.string,
  reason: LogFault,
  status: t.union([t.number, t.null]),
  attempts: t.number,
  at_ms: t.number,
})
