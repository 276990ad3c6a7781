import { deepEqual, equal, rejects } from 'node:assert/strict'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { temporaryFolder } from '#test/support/repository.js'
import { gatherInTurn, openGroupCommit } from './group-commit.js'
import { openSqlite, type Sqlite } from './sqlite.js'

describe('a group commit', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let database: Sqlite
  let commits = 0
  let deferred: Array<() => void> = []
  beforeEach(() => {
    folder = temporaryFolder()
    database = openSqlite(join(folder.path, 'a.db'), 0)
    database.exec('CREATE TABLE names (name TEXT PRIMARY KEY)')
    commits = 0
    deferred = []
  })
  afterEach(() => {
    database.close()
    folder.dispose()
  })

  const open = () =>
    openGroupCommit(
      {
        transaction: work => {
          const made = database.transaction(work)
          commits += 1
          return made
        },
      },
      work => void deferred.push(work),
    )
  const endTurn = (): void => {
    const works = deferred
    deferred = []
    for (const work of works) work()
  }
  const insert = (name: string) => (): string => {
    database.prepare('INSERT INTO names VALUES (?)').run(name)
    return name
  }
  const names = () => database.prepare('SELECT name FROM names ORDER BY name').column()

  it('writes nothing before the end of the turn, and then all in one transaction', async () => {
    const write = open()
    const made = [write(insert('a')), write(insert('b')), write(insert('c'))]
    deepEqual([names(), commits], [[], 0])
    endTurn()
    deepEqual([names(), commits], [['a', 'b', 'c'], 1])
    deepEqual(await Promise.all(made), ['a', 'b', 'c'])
    const later = write(insert('d'))
    endTurn()
    deepEqual([await later, commits], ['d', 2])
  })

  it('fails the write that throws, and no other', async () => {
    const write = open()
    const made = [write(insert('a')), write(insert('a')), write(insert('b'))]
    const settled = Promise.allSettled(made)
    endTurn()
    deepEqual(
      (await settled).map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    deepEqual(names(), ['a', 'b'])
  })

  it('rolls back a nested transaction that throws with its write', async () => {
    const write = open()
    const failed = write(() =>
      database.transaction(() => {
        insert('a')()
        throw new Error('half done')
      }),
    )
    const refused = rejects(failed, /half done/u)
    const other = write(() => database.transaction(insert('b')))
    endTurn()
    await refused
    equal(await other, 'b')
    deepEqual(names(), ['b'])
  })

  it('commits by itself at the end of a turn of the loop', async () => {
    const write = openGroupCommit(database, gatherInTurn)
    equal(await write(insert('a')), 'a')
    deepEqual(names(), ['a'])
  })
})
