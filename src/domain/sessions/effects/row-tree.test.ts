import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { activeOn } from '#src/domain/lore/rows/days.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { numbers } from '#test/support/hostile/lore-text.js'
import { day } from '#test/support/world.js'
import { insertRow, lastActive, type RowTree, rowsIn, treeOf } from './overlay-state.js'

const dayOf = (at: number) => day(`2026-01-${String(at + 1).padStart(2, '0')}`)

const rowOf = (value: number, from: number | null, to: number | null): Row => ({
  tag: 'info',
  value: String(value),
  range: { from: from === null ? null : dayOf(from), to: to === null ? null : dayOf(to) },
  auto: false,
  line: 1,
  endLine: 1,
  source: { _tag: 'Session', header: 'S' },
})

/** Rows of random ranges; some are open, some end before they begin. */
const randomRows = (seed: number, count: number): ReadonlyArray<Row> => {
  const froms = numbers(seed, count, 32)
  const tos = numbers(seed + 1, count, 40)
  return froms.map((from, at) => {
    const to = tos[at] ?? 0
    return rowOf(at, from > 27 ? null : from, to > 27 ? null : to)
  })
}

const startOf = (row: Row): string => row.range.from ?? ''

/** The list that the tree stands for. */
const sortByStart = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  [...rows].sort((one, other) => (startOf(one) < startOf(other) ? -1 : startOf(one) > startOf(other) ? 1 : 0))

const insertAll = (start: RowTree | null, rows: ReadonlyArray<Row>): RowTree | null =>
  rows.reduce<RowTree | null>(insertRow, start)

const depthOf = (tree: RowTree | null): number =>
  tree === null ? 0 : 1 + Math.max(depthOf(tree.left), depthOf(tree.right))

describe('the tree of rows', () => {
  it('holds the rows in the deciding order, and finds the last active one', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const rows = randomRows(seed, 60)
      const [stated, added] = [sortByStart(rows.slice(0, 20)), rows.slice(20)]
      const list = sortByStart([...stated, ...added])
      const tree = insertAll(treeOf(stated), added)
      deepEqual([...rowsIn(tree)], list)
      for (let at = 0; at < 28; at += 1)
        equal(lastActive(tree, dayOf(at)), list.findLast(row => activeOn(row.range, dayOf(at))) ?? null)
    }
  })

  it('stays balanced whatever the order of insertion', () => {
    const count = 4096
    const orders = [
      Array.from({ length: count }, () => 0),
      Array.from({ length: count }, (_, at) => Math.floor(at / 150)),
      Array.from({ length: count }, (_, at) => Math.floor((count - at) / 150)),
      numbers(7, count, 28),
    ]
    for (const order of orders) {
      const tree = insertAll(
        null,
        order.map((from, at) => rowOf(at, from, null)),
      )
      ok(depthOf(tree) <= 2.5 * Math.log2(count))
    }
  })
})
