import { isLeft } from 'fp-ts/lib/Either.js'
import { openRuntimeDb, type RuntimeDb } from '#src/adapters/runtime/runtime-db.js'
import { openSqlite } from '#src/adapters/runtime/sqlite.js'
import { temporaryFolder } from './repository.js'

/** A runtime database in its own folder. */
export interface TestRuntime {
  readonly db: () => RuntimeDb
  /** Closes and reopens it, like the next start. */
  readonly reopen: () => void
  /** Runs SQL on the file through another connection. */
  readonly execute: (sql: string) => void
  readonly state: string
  readonly dispose: () => void
}

const openOrFail = (state: string): RuntimeDb => {
  const made = openRuntimeDb(state)
  if (isLeft(made)) throw new Error(made.left.reason)
  return made.right
}

/** The runtime database of a state area, beside the process that holds it. */
export const runtimeIn = (state: string): TestRuntime => {
  let db = openOrFail(state)
  return {
    db: () => db,
    reopen: () => {
      db.close()
      db = openOrFail(state)
    },
    execute: sql => {
      const bare = openSqlite(`${state}/runtime.db`, 0)
      bare.exec(sql)
      bare.close()
    },
    state,
    dispose: () => db.close(),
  }
}

export const runtimeOf = (): TestRuntime => {
  const folder = temporaryFolder()
  const runtime = runtimeIn(folder.path)
  return {
    ...runtime,
    dispose: () => {
      runtime.dispose()
      folder.dispose()
    },
  }
}

/** SQL that makes a table refuse inserts and deletes. */
export const refuseWritesSql = (table: string): string => `
  CREATE TRIGGER ${table}_in BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'full'); END;
  CREATE TRIGGER ${table}_out BEFORE DELETE ON ${table} BEGIN SELECT RAISE(ABORT, 'full'); END;`
