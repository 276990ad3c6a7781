import { deepEqual } from 'node:assert/strict'
import { refusals } from '#protocol/refusal.js'
import { alwaysRefuses, type Route, type Table } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import type { Observation } from '#test/support/observations.js'
import { checkerOf, type Offence } from './answer-check.js'

export interface RunVerdict {
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

/** The answers of a run as they are checked; sets may come as lists, since parts of a run are kept as JSON. */
export interface CheckedRun {
  readonly answers: number
  readonly offences: ReadonlyArray<string>
  readonly answered: Iterable<string>
  readonly refused: Iterable<string>
  readonly refusedBy: Iterable<string>
}

/** Checks the answers against the documents of a table. */
export const checkAnswersOf = (table: Table): ((observed: ReadonlyArray<Observation>) => CheckedRun) => {
  const check = checkerOf(table)
  return observed => {
    const { offences, ...covered } = check(observed)
    return { answers: observed.length, offences: firstOfEach(offences), ...covered }
  }
}

let checkClosedTable: ReturnType<typeof checkAnswersOf> | null = null

/** Checks answers of the closed table. The document is compiled once for a process. */
export const checkAnswers = (observed: ReadonlyArray<Observation>): CheckedRun => {
  checkClosedTable ??= checkAnswersOf(routes)
  return checkClosedTable(observed)
}

/** What the answers of a run leave to wish for, by name. */
export const runVerdictOf = (table: Table, tags: ReadonlyArray<string>, checked: CheckedRun): RunVerdict => {
  const [answered, refused, refusedBy] = [
    new Set(checked.answered),
    new Set(checked.refused),
    new Set(checked.refusedBy),
  ]
  const rows = Object.entries(table)
  return {
    offences: checked.offences,
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

/** Fails the run where an answer offends, or a row or a refusal was never hit. */
export const assertWholeRun = (checked: CheckedRun): void => {
  const tags = Object.keys(refusals)
  const rows = Object.keys(routes).length
  const verdict = runVerdictOf(routes, tags, checked)
  const answered = rows - verdict.unanswered.length
  const provoked = tags.filter(tag => !verdict.unprovoked.includes(tag)).length
  process.stdout.write(
    `\n  the contract over the whole run: ${checked.answers} answers checked, ` +
      `${answered} of ${rows} rows answered, ${provoked} of ${tags.length} refusals provoked\n`,
  )
  deepEqual(verdict, { offences: [], unanswered: [], unprovoked: [] })
}
