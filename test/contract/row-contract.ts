import { after, before, describe } from 'mocha'
import type { Table } from '#protocol/route.js'
import type { Observation } from '#test/support/observations.js'
import { checkerOf, type Offence } from './answer-check.js'
import type { AnySample, Asking, Bench, Subject } from './bench.js'
import { access } from './row-access.js'
import { checkAnswer } from './row-answer.js'
import { body } from './row-body.js'
import { checkGate } from './row-gate.js'
import { checkMissing } from './row-missing.js'
import { query } from './row-query.js'

type OffencesOf = (observation: Observation) => ReadonlyArray<Offence>

/** Declares the tests of one column, or of a few that belong together, for one row. */
export type CheckOf<B extends Asking> = (subject: Subject, bench: () => B, offencesOf: OffencesOf) => void
export type Check = CheckOf<Bench>

/** All that is asked of a row at a front. */
export const checks: ReadonlyArray<Check> = [access, checkGate, checkMissing, body, query, checkAnswer]

/** Declares the tests of every row of a table: what its columns say, seen from outside. */
export const contractOf = <B extends Asking>(
  table: Table,
  samples: Readonly<Record<string, AnySample>>,
  start: () => Promise<B>,
  checks: ReadonlyArray<CheckOf<B>>,
): void => {
  let bench: B
  let offencesOf: OffencesOf
  before(async () => {
    bench = await start()
    const check = checkerOf(table)
    offencesOf = observation => check([observation]).offences
  })
  after(() => bench.close())

  for (const [id, row] of Object.entries(table)) {
    const sample = samples[id]
    if (sample === undefined) throw new Error(`${id} has no sample`)
    describe(`${row.method} ${row.path}`, () => {
      for (const check of checks)
        check(
          { id, row, sample },
          () => bench,
          observation => offencesOf(observation),
        )
    })
  }
}
