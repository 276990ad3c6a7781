import { equal } from 'node:assert/strict'
import { queryObjects } from 'node:v8'
import Database from 'better-sqlite3'
import { describe, it } from 'mocha'
import { openSqlite } from './sqlite.js'

/** The number of living objects of a kind, after a garbage collection. */
const countLiving = ({ constructor }: object): number => {
  const counted: unknown = queryObjects(constructor, { format: 'count' })
  if (typeof counted !== 'number') throw new Error('a count wanted')
  return counted
}

describe('an open SQLite file', function () {
  this.timeout(60_000)

  it('and its statements are never taken away by the garbage collector', () => {
    const probe = new Database(':memory:')
    const statement = probe.prepare('SELECT 1')
    const [files, statements] = [countLiving(probe), countLiving(statement)]
    const opened = 20
    for (let at = 0; at < opened; at += 1) {
      const database = openSqlite(':memory:', 0)
      equal(database.pragma('user_version'), 0)
      database.pragma('user_version = 3')
      equal(database.pragma('user_version'), 3)
      equal(database.prepare('SELECT 1 AS one').all().length, 1)
      database.close()
    }
    equal(countLiving(probe) - files, opened)
    equal(countLiving(statement) - statements, 3 * opened)
  })

  it('keeps one statement of one text', () => {
    const database = openSqlite(':memory:', 0)
    const probe = new Database(':memory:').prepare('SELECT 1')
    database.pragma('user_version')
    const before = countLiving(probe)
    for (let at = 0; at < 100; at += 1) {
      database.pragma('user_version')
      database.prepare('SELECT 2').all()
    }
    equal(countLiving(probe) - before, 1)
    database.close()
  })
})
