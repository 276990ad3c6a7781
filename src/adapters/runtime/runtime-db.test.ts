import { deepEqual, equal, match, ok, throws } from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { intentOf } from '#test/support/intent.js'
import { migrations, openRuntimeDb, type RuntimeDb } from './runtime-db.js'
import { openSqlite } from './sqlite.js'

const sample = intentOf('one')

describe('the runtime database', () => {
  let state: string
  const path = (): string => join(state, 'runtime.db')
  const open = (): RuntimeDb => {
    const opened = openRuntimeDb(state)
    if (isLeft(opened)) throw new Error(opened.left.reason)
    return opened.right
  }
  const refusal = (): string => {
    const opened = openRuntimeDb(state)
    if (isLeft(opened)) return opened.left.reason
    opened.right.close()
    return 'opened'
  }
  beforeEach(() => {
    state = mkdtempSync(join(tmpdir(), 'runtime-db-'))
  })
  afterEach(() => rmSync(state, { recursive: true }))

  it('is durable at every open, also where SQLite itself would be at NORMAL', () => {
    for (const _time of ['made', 'reopened', 'again']) {
      const db = open()
      deepEqual(db.durability(), { journal: 'wal', synchronous: 2 })
      db.close()
    }
    // The control: SQLite by itself reopens with 1, so the 2 above is ours (F1).
    const bare = openSqlite(path(), 0)
    equal(bare.pragma('synchronous'), 1)
    bare.close()
  })

  it('is readable by its owner alone', () => {
    const db = open()
    for (const name of ['runtime.db', 'runtime.db-wal', 'runtime.db-shm'])
      equal(statSync(join(state, name)).mode & 0o777, 0o600, name)
    db.close()
  })

  it('counts the failures of a transcript until they expire or it is taken, also over a restart', () => {
    const ttlMs = 1_000
    const address = 'https://logi.example/1'
    const first = open()
    first.logAttempts(ttlMs).failed(address, 'status', 503, 10)
    first.close()
    const db = open()
    const markers = db.logAttempts(ttlMs)
    markers.failed(address, 'html', 200, 500)
    deepEqual(
      [...markers.all(1_000)],
      [[address, { state: 'Refused', reason: 'html', upstreamStatus: 200, attempts: 2, atMs: 500 }]],
    )
    equal(markers.all(1_500).size, 0)
    markers.failed(address, 'timeout', null, 1_600)
    deepEqual(markers.all(1_600).get(address), {
      ...{ state: 'Failed', reason: 'timeout', upstreamStatus: null, attempts: 1, atMs: 1_600 },
    })
    markers.taken(address)
    equal(markers.all(1_600).size, 0)
    db.close()
  })

  const steps = (): unknown => {
    const bare = openSqlite(path(), 0)
    const rows = bare.prepare('SELECT number FROM schema_steps ORDER BY number').all()
    bare.close()
    return rows
  }
  const all = migrations.map(({ number }) => ({ number }))

  it('numbers its migrations once each, in order, and runs each once', () => {
    const numbers = migrations.map(one => one.number)
    deepEqual(
      numbers,
      [...new Set(numbers)].sort((one, other) => one - other),
    )
    open().close()
    open().close()
    deepEqual(steps(), all)
  })

  it('brings every older schema up to date, also one whose steps were only counted', () => {
    for (const [done] of migrations.entries()) {
      const ran = migrations.slice(0, done)
      for (const isCounted of ran.every(({ number }, at) => number === at + 1) ? [true, false] : [false]) {
        const bare = openSqlite(path(), 0)
        for (const { sql } of ran) bare.exec(sql)
        if (isCounted) bare.exec(`PRAGMA user_version = ${done}`)
        else bare.exec('CREATE TABLE schema_steps (number INTEGER PRIMARY KEY) STRICT')
        for (const { number } of isCounted ? [] : ran)
          bare.prepare('INSERT INTO schema_steps VALUES (?)').run(number)
        bare.close()
        equal(refusal(), 'opened')
        deepEqual(steps(), all)
        for (const name of ['', '-wal', '-shm']) rmSync(`${path()}${name}`, { force: true })
      }
    }
  })

  it('runs a step that came late, below one that was run', () => {
    const [first, second] = migrations
    if (first === undefined || second === undefined) throw new Error('two families wanted')
    const bare = openSqlite(path(), 0)
    bare.exec(`CREATE TABLE schema_steps (number INTEGER PRIMARY KEY) STRICT; ${second.sql}`)
    bare.prepare('INSERT INTO schema_steps VALUES (?)').run(second.number)
    bare.close()
    open().close()
    deepEqual(steps(), all)
  })

  it('refuses a schema of a newer build and leaves it as it is', () => {
    const bare = openSqlite(path(), 0)
    bare.exec('CREATE TABLE later (id TEXT); PRAGMA user_version = 999')
    bare.close()
    match(
      refusal(),
      /has schema step 999, this build knows \d+ at most: a newer build wrote it\. Start that build/,
    )
    const again = openSqlite(path(), 0)
    equal(again.pragma('user_version'), 999)
    equal(again.prepare('SELECT name FROM sqlite_schema').all().length, 1)
    again.close()
  })

  it('refuses a file that is no database, and does not touch it', () => {
    writeFileSync(path(), 'not a database, but long enough to have been something of value once'.repeat(20))
    const before = readFileSync(path())
    match(refusal(), /is damaged .* The host does not replace it by itself.*move runtime\.db/s)
    deepEqual(readFileSync(path()), before)
  })

  it('refuses a file with a torn page', () => {
    const db = open()
    for (let at = 0; at < 400; at += 1) db.intents.prepare([{ ...sample, id: `i-${at}` }])
    db.close()
    const bytes = readFileSync(path())
    bytes.fill(0xee, 4096 * 3, 4096 * 6)
    writeFileSync(path(), bytes)
    match(refusal(), /is damaged/)
    deepEqual(readFileSync(path()), bytes)
  })

  it('refuses a place where it cannot be made, and says the reason', () => {
    rmSync(state, { recursive: true })
    match(refusal(), /cannot be written: ENOENT.*runtime\.db/)
    equal(existsSync(state), false)
    state = mkdtempSync(join(tmpdir(), 'runtime-db-'))
  })

  it('throws where a row was written by a stranger', () => {
    const db = open()
    db.intents.prepare([sample])
    const bare = openSqlite(path(), 0)
    bare.exec(`UPDATE intents SET paths = '[{"path": "../outside"}]'`)
    bare.close()
    throws(() => db.intents.prepared(), /a row of intents/)
    db.close()
  })

  it('rolls a whole batch back when one of it is refused', () => {
    const db = open()
    throws(() => db.intents.prepare([sample, { ...sample, id: 'two' }, sample]))
    deepEqual(db.intents.prepared(), [])
    ok(db.intents.find('two') === null)
    db.close()
  })
})
