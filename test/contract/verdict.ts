import { deepEqual } from 'node:assert/strict'
import { refusals } from '#protocol/refusal.js'
import { alwaysRefuses, type Route, type Table } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import type { Observation } from '#test/support/observations.js'
import { checkerOf, type Offence } from './answer-check.js'

export interface Verdict {
  /** One line for each row and status that offends, with the first offence of it. */
  readonly offences: ReadonlyArray<string>
  /** Rows that no test answered 2xx, save those whose only answer is a refusal. */
  readonly unanswered: ReadonlyArray<string>
  /** Refusals that no test provoked; `<refusal> of <row>` where a row lists one that it never gave. */
  readonly unprovoked: ReadonlyArray<string>
}

const lineOf = ({ row, status, path, reason }: Offence): string => `${row} ${status} at ${path}: ${reason}`

const firstOfEach = (offences: ReadonlyArray<Offence>): ReadonlyArray<string> => [
  ...new Map(
    offences.toReversed().map(offence => [`${offence.row} ${offence.status}`, lineOf(offence)]),
  ).values(),
]

const nameOf = (id: string, row: Route): string => `${row.method} ${row.path} (${id})`

/** What the answers of a run leave to wish for, by name. */
export const verdictOf = (
  table: Table,
  tags: ReadonlyArray<string>,
  observed: ReadonlyArray<Observation>,
): Verdict => {
  const rows = Object.entries(table)
  const { offences, answered, refused, refusedBy } = checkerOf(table)(observed)
  return {
    offences: firstOfEach(offences),
    unanswered: rows.flatMap(([id, row]) =>
      answered.has(id) || alwaysRefuses(row) ? [] : [nameOf(id, row)],
    ),
    unprovoked: [
      ...tags.filter(tag => !refused.has(tag)),
      ...rows.flatMap(([id, row]) =>
        row.refusals.flatMap(tag => (refusedBy.has(`${id} ${tag}`) ? [] : [`${tag} of ${nameOf(id, row)}`])),
      ),
    ],
  }
}

/** Fails the run where an answer offends, or a row or a refusal was never hit (STYLE 1.3, 2.10). */
export const assertWholeRun = (observations: ReadonlyArray<Observation>): void => {
  const tags = Object.keys(refusals)
  const rows = Object.keys(routes).length
  const verdict = verdictOf(routes, tags, observations)
  const answered = rows - verdict.unanswered.length
  const provoked = tags.filter(tag => !verdict.unprovoked.includes(tag)).length
  process.stdout.write(
    `\n  the contract over the whole run: ${observations.length} answers checked, ` +
      `${answered} of ${rows} rows answered, ${provoked} of ${tags.length} refusals provoked\n`,
  )
  deepEqual(verdict, { offences: [], unanswered: [], unprovoked: [] })
}
