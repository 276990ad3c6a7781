import { deepEqual, equal, ok } from 'node:assert/strict'
import { activeOn } from '#src/domain/lore/rows/days.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'

type Said = Pick<Row, 'value' | 'range' | 'auto'>

const same = (one: Said, other: Said): boolean =>
  one.value === other.value &&
  one.auto === other.auto &&
  one.range.from === other.range.from &&
  one.range.to === other.range.to

/** The rows of the first list that the second lacks, counting duplicates. */
const subtractRows = (rows: ReadonlyArray<Row>, others: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const left = [...others]
  return rows.filter(row => {
    const at = left.findIndex(other => same(row, other))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/** Whether a row was ended or confirmed: from then on it is a person's (FORMATS 10). */
const isEnd = (before: Row, after: Row): boolean =>
  same({ ...before, auto: false, range: { ...before.range, to: after.range.to } }, after)

/** The changes of a tag's rows: ended ones (with their new last day), removed ones, and new ones. */
const difference = (before: ReadonlyArray<Row>, after: ReadonlyArray<Row>) => {
  const fresh = [...subtractRows(after, before)]
  const gone = subtractRows(before, after).filter(row => {
    const at = fresh.findIndex(one => isEnd(row, one))
    if (at >= 0) fresh.splice(at, 1)
    return at < 0
  })
  return { gone, fresh }
}

/**
 * The law for the rows of a tag that gets a value: at most one is corrected in place, the others stay or end;
 * new are at most the value and the rest of the row that it falls into, and no other row holds on the day it
 * begins.
 */
export const checkOneGiven = (
  before: ReadonlyArray<Row>,
  after: ReadonlyArray<Row>,
  value: string,
  one: boolean,
) => {
  const { gone, fresh } = difference(before, after)
  ok(gone.length <= 1, 'one row is corrected')
  ok(fresh.length <= 2, 'two rows are new')
  equal(gone.length === 0 || fresh.length === 1, true, 'a correction adds none')
  const added = fresh.find(row => row.value === value)
  if (added === undefined || gone.length > 0 || !one) return
  const { from } = added.range
  if (from !== null)
    deepEqual(
      after.filter(row => activeOn(row.range, from)).map(row => row.value),
      [value],
      'alone on its first day',
    )
}

/**
 * The law for the rows of a tag that loses a value: only rows of the value end or disappear, and none is new.
 */
export const checkOneTaken = (
  before: ReadonlyArray<Row>,
  after: ReadonlyArray<Row>,
  isMeant: (row: Row) => boolean,
) => {
  const { gone, fresh } = difference(before, after)
  deepEqual(fresh, [], 'none is new')
  ok(gone.every(isMeant), 'only what is meant goes')
  const kept = (rows: ReadonlyArray<Row>) => rows.filter(row => !isMeant(row)).map(row => row.value)
  deepEqual(kept(after), kept(before), 'the others stand')
}
