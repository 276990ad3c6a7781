import { isLeft } from 'fp-ts/lib/Either.js'
import { migrations } from '#src/adapters/runtime/runtime-db.js'
import { migrate, openSqlite, type Sqlite, type SqlValue } from '#src/adapters/runtime/sqlite.js'
import type { Life, Weather } from '#test/simulation/node/weather.js'

/** The runtime database of a host: what is committed in it outlives its processes. */
export const openChatDisk = (): Sqlite => {
  const database = openSqlite(':memory:', 0)
  if (isLeft(migrate(database, migrations))) throw new Error('a new database has no schema of its own')
  return database
}

const refusal = (): Error => Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
const isDead = (): Error => new Error('this process is dead')

const nameOf = (sql: string): string => sql.trim().split(/\s+/u).slice(0, 3).join(' ')

/**
 * The database as one process uses it. Each write may be refused, and the process may die before it, behind it, or
 * before its transaction commits: then nothing of the transaction is left.
 */
export const databaseOf = (
  disk: Sqlite,
  { strike, refuses }: Pick<Weather, 'strike' | 'refuses'>,
  life: Life,
): Sqlite => {
  let depth = 0
  const write = <A>(what: string, work: () => A): A => {
    if (depth > 0) return work()
    if (strike(life, what)) throw isDead()
    if (refuses(life.host)) throw refusal()
    const made = work()
    strike(life, `${what} done`)
    return made
  }
  return {
    ...disk,
    prepare: sql => {
      const statement = disk.prepare(sql)
      const isRead = /^\s*SELECT/u.test(sql)
      const what = nameOf(sql)
      return {
        ...statement,
        run: (...values: ReadonlyArray<SqlValue>) => write(what, () => statement.run(...values)),
        all: (...values: ReadonlyArray<SqlValue>) =>
          isRead ? statement.all(...values) : write(what, () => statement.all(...values)),
      }
    },
    transaction: work =>
      write('transaction', () =>
        disk.transaction(() => {
          depth += 1
          try {
            const made = work()
            if (depth === 1 && strike(life, 'commit')) throw isDead()
            return made
          } finally {
            depth -= 1
          }
        }),
      ),
  }
}
