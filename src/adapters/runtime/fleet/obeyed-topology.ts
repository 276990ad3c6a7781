import * as t from 'io-ts'
import type { ObeyedTopologyStore } from '#src/ports/host.js'
import type { Migration } from '../migration.js'
import { decodeRows } from '../rows.js'
import type { Sqlite } from '../sqlite.js'

export const obeyedTopologyMigrations: ReadonlyArray<Migration> = [
  {
    number: 65,
    sql: `
      CREATE TABLE obeyed_topology (
        only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
        apex TEXT NOT NULL,
        term INTEGER NOT NULL,
        term_before INTEGER
      ) STRICT;
    `,
  },
]

const TopologyRow = t.type({ apex: t.string, term: t.number, term_before: t.union([t.number, t.null]) })

/** The obeyed topology in the runtime database: one row, or none on a host that was never in a fleet. */
export const openObeyedTopology = (database: Sqlite): ObeyedTopologyStore => {
  const find = database.prepare('SELECT apex, term, term_before FROM obeyed_topology')
  const keep = database.prepare(
    'INSERT OR REPLACE INTO obeyed_topology (only_row, apex, term, term_before) VALUES (1, ?, ?, ?)',
  )
  return {
    find: () => {
      const [row] = decodeRows('obeyed_topology', TopologyRow, find.all())
      return row === undefined ? null : { apex: row.apex, term: row.term, termBefore: row.term_before }
    },
    keep: ({ apex, term, termBefore }) => void keep.run(apex, term, termBefore),
  }
}
