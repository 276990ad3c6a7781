import { right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { describe } from 'mocha'
import { DayText } from '#protocol/query.js'
import { route, type Table } from '#protocol/route.js'
import type { Planners } from '#src/writing/command.js'
import { benchOf } from './bench.js'
import { checks, contractOf } from './row-contract.js'
import type { Samples } from './samples.js'

const Written = t.type({ name: t.string, dryRun: t.boolean }, 'Written')

/**
 * A row that passes the gate: a column whose generated tests would have nothing to run on while the closed table has no
 * such row.
 */
const specimens = {
  specimen: route({
    method: 'PATCH',
    path: '/specimens/{name}',
    summary: 'Writes nothing.',
    capability: 'player.write',
    own: true,
    write: true,
    replica: false,
    pool: false,
    poolReason: 'mutates',
    etag: false,
    early: false,
    query: { day: DayText },
    body: t.type({ value: t.string }, 'SpecimenBody'),
    answers: { 200: Written },
    refusals: [],
    source: 'A 4.1',
  }),
} as const satisfies Table

const planners: Planners<typeof specimens> = {
  specimen: (_snapshot, { path: { name } }) =>
    right({
      edits: [],
      claims: [],
      touches: [],
      subject: 'test: nothing',
      answer: { name, dryRun: false },
      preview: { name, dryRun: true },
    }),
}

const samples: Samples<typeof specimens> = {
  specimen: {
    path: { name: 'Wit Kłos' },
    query: { day: '2026-06-01' },
    body: { value: 'próba' },
    says: 'Wit Kłos',
  },
}

describe('the contract of a row that writes', () => {
  contractOf(specimens, samples, () => benchOf({ table: specimens, handlers: {}, planners }), checks)
})
