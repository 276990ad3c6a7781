import * as t from 'io-ts'
import { BlobId, CommitId, RepoPath, Tree } from '#protocol/atoms.js'
import type { Intent, Intents } from '#src/ports/records.js'
import type { OutboxRows } from './deliveries.js'
import type { OwedLines } from './owed-audit.js'
import { decodeRows, jsonOf, type Migration, type Sqlite } from './sqlite.js'

export const intentMigrations: ReadonlyArray<Migration> = [
  {
    number: 1,
    sql: `
      CREATE TABLE intents (
        id TEXT PRIMARY KEY,
        at_ms INTEGER NOT NULL,
        actor TEXT NOT NULL,
        route TEXT NOT NULL,
        commit_id TEXT NOT NULL,
        parent_id TEXT,
        state TEXT NOT NULL CHECK (state IN ('prepared', 'done', 'lost')),
        paths TEXT NOT NULL
      ) STRICT;
      CREATE INDEX intents_prepared ON intents (at_ms) WHERE state = 'prepared';
      CREATE INDEX intents_at ON intents (at_ms);
    `,
  },
  // Until this step every intent was of the lore.
  { number: 3, sql: `ALTER TABLE intents ADD COLUMN tree TEXT NOT NULL DEFAULT 'lore'` },
]

/** The intents of the write gate in the runtime database. */
export const intentsIn = (database: Sqlite, owed: OwedLines, { owe }: Pick<OutboxRows, 'owe'>): Intents => {
  const insert = database.prepare(
    `INSERT INTO intents (id, tree, at_ms, actor, route, commit_id, parent_id, state, paths)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const open = database.prepare(`SELECT * FROM intents WHERE state = 'prepared' ORDER BY at_ms, rowid`)
  const openIn = database.prepare(
    `SELECT * FROM intents WHERE state = 'prepared' AND tree = ? ORDER BY at_ms, rowid`,
  )
  const one = database.prepare('SELECT * FROM intents WHERE id = ?')
  const forgotten = database.prepare(
    `DELETE FROM intents WHERE at_ms < ? AND state <> 'prepared'
       AND id NOT IN (SELECT intent FROM owed_notices)
       AND NOT (state = 'lost' AND id IN (SELECT intent FROM owed_audit WHERE intent IS NOT NULL))`,
  )
  const moved = database.prepare('UPDATE intents SET commit_id = ? WHERE id = ? AND commit_id = ?')
  const probe = database.prepare(
    `INSERT INTO intents (id, at_ms, actor, route, commit_id, state, paths)
     VALUES ('probe', 0, '', '', '', 'lost', '[]')`,
  )
  const unprobe = database.prepare(`DELETE FROM intents WHERE id = 'probe'`)
  const read = (rows: ReadonlyArray<unknown>): ReadonlyArray<Intent> =>
    decodeRows('intents', Row, rows).map(intentOf)
  return {
    prepare: batch =>
      owed.transaction(() => {
        for (const {
          id,
          tree,
          atMs,
          actor,
          route,
          commit,
          parent,
          state,
          paths,
          audit = [],
          notices = [],
        } of batch) {
          insert.run(id, tree, atMs, actor, route, commit, parent, state, JSON.stringify(paths))
          for (const line of audit) owed.keep(line, atMs, id)
          owe(id, notices)
        }
      }),
    settle: settleIn(database, owed),
    prepared: tree => read(tree === undefined ? open.all() : openIn.all(tree)),
    follow: made =>
      database.transaction(() => {
        for (const { intent, from, to } of made) if (intent !== null) moved.run(to, intent, from)
      }),
    find: id => read(one.all(id))[0] ?? null,
    prove: () =>
      database.transaction(() => {
        probe.run()
        unprobe.run()
      }),
    forget: beforeMs => forgotten.run(beforeMs),
  }
}

/** Ends intents; a lost one whose commit is found owes its audit lines from then on. */
const settleIn = (database: Sqlite, owed: OwedLines): Intents['settle'] => {
  const end = database.prepare(`UPDATE intents SET state = ? WHERE id = ? AND state = 'prepared'`)
  const found = database.prepare(`UPDATE intents SET state = 'done' WHERE id = ? AND state = 'lost'`)
  return (ids, verdict) =>
    database.transaction(() => {
      let count = 0
      for (const id of ids) {
        if (verdict === 'unmade') owed.drop(id)
        count += end.run(verdict === 'unmade' ? 'lost' : verdict, id)
        if (verdict !== 'done' || found.run(id) === 0) continue
        owed.release(id)
        count += 1
      }
      return count
    })
}

const Row = t.type({
  id: t.string,
  tree: Tree,
  at_ms: t.number,
  actor: t.string,
  route: t.string,
  commit_id: CommitId,
  parent_id: t.union([CommitId, t.null]),
  state: t.keyof({ prepared: null, done: null, lost: null }),
  paths: t.string,
})

const blob = t.union([BlobId, t.null])
const Paths = t.array(t.type({ path: RepoPath, old: blob, new: blob }))

const intentOf = (row: t.TypeOf<typeof Row>): Intent => ({
  id: row.id,
  tree: row.tree,
  atMs: row.at_ms,
  actor: row.actor,
  route: row.route,
  commit: row.commit_id,
  parent: row.parent_id,
  state: row.state,
  paths: decodeRows('intents', Paths, [jsonOf(row.paths)]).flat(),
})
